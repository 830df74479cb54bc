import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Database } from '../engines/database/database.ts';

/**
 * Refuses bytes that were found to be malware or were taken down. In the transaction that commits a file it counts only
 * after the row of its blob is taken: whoever blocks a digest takes that row too, so one of both sees the other.
 * @throws {Failure} UPLOAD_MALWARE, UPLOAD_BLOCKED.
 */
export async function refuseBlocked(db: Database, sha256: string): Promise<void> {
  const blocked = await db
    .selectFrom('blocked_digests')
    .select('reason')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  if (blocked) throw new Failure(blocked.reason === 'malware' ? 'UPLOAD_MALWARE' : 'UPLOAD_BLOCKED');
}
