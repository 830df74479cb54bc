import { sql } from 'kysely';
import type { Memory } from '../accounts/close-account.ts';
import { malwareLetter } from '../accounts/letters.ts';
import type { Context } from '../context.ts';
import { queueLetter } from '../post/queue-letter.ts';
import { type Bytes, removeBytesEverywhere } from './remove-bytes-everywhere.ts';

export interface Quarantined {
  readonly accounts: number;
  readonly files: number;
}

/**
 * Takes malware out of every account, tells each owner once, and lets nobody upload it again. Killed half-way, it does
 * the rest when it is called again, which `scanPending` sees to.
 * @param signature what was found.
 */
export async function quarantine(
  context: Context,
  memory: Memory,
  bytes: Bytes,
  signature: string,
): Promise<Quarantined> {
  const taken = await removeBytesEverywhere(context, memory, bytes, 'malware', signature, (tx, owner, withheld) =>
    queueLetter({ ...context, db: tx }, malwareLetter(context, owner.email, withheld)),
  );
  await context.db
    .updateTable('blobs')
    .set({ scan_state: 'infected', scanned_at: context.clock.now(), scan_tries: 0 })
    .where('sha256', '=', bytes.sha256)
    .execute();
  if (taken.files > 0) context.log.warn({ sha256: bytes.sha256, signature, ...taken }, 'malware is in quarantine');
  return taken;
}

/** Does the rest of what was killed half-way, and answers how many files that were. */
export async function finishQuarantines(context: Context, memory: Memory): Promise<number> {
  const unfinished = await context.db
    .selectFrom('blobs')
    .innerJoin('blocked_digests', 'blocked_digests.sha256', 'blobs.sha256')
    .select(['blobs.sha256', 'blocked_digests.reference'])
    .where(sql<boolean>`blobs.held_for = 'malware' AND blobs.used_by > 0`)
    .execute();
  let files = 0;
  for (const { sha256, reference } of unfinished)
    files += (await quarantine(context, memory, { sha256 }, reference)).files;
  return files;
}
