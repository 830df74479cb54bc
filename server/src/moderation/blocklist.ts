import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Transaction } from '../storage/db/database.ts';
import { prepared } from '../storage/db/prepared.ts';
import type { HoldReason } from '../storage/db/schema.ts';
import { statement } from '../storage/db/statement.ts';

/** A commit of a file locks the row of the blob first: blocking a digest locks it too, so one sees the other. */
export const blockedDigest = statement((db, { sha256 }: { readonly sha256: string }) =>
  db.selectFrom('blocked_digests').select('reason').where('sha256', '=', sha256).modifyEnd(prepared),
);

export function refuseIfBlocked(blocked: { readonly reason: HoldReason } | undefined): void {
  if (blocked) throw new Failure(blocked.reason === 'malware' ? 'UPLOAD_MALWARE' : 'UPLOAD_BLOCKED');
}

export async function blockDigest(
  db: Pick<Transaction, 'insertInto'>,
  sha256: string,
  reason: HoldReason,
  reference: string,
  now: number,
): Promise<void> {
  await db
    .insertInto('blocked_digests')
    .values({ sha256, reason, reference, blocked_at: now })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
}
