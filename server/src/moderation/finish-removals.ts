import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { quarantine } from './quarantine.ts';
import { removeHeldBytes } from './remove-bytes-everywhere.ts';
import { countAgainst, removeForCase } from './take-down.ts';

/**
 * Finishes quarantines and takedowns that were killed halfway: bytes that are held but still used by live files. A
 * removal belongs to an open case, so that it is counted and its email is sent. Returns numbers of files.
 */
export async function finishRemovals(context: Context): Promise<{ quarantined: number; takenDown: number }> {
  const done = { quarantined: 0, takenDown: 0 };
  for (const { reason, sha256, reference } of await unfinishedRemovals(context.db))
    if (reason === 'malware') done.quarantined += (await quarantine(context, { sha256 }, reference)).files;
    else done.takenDown += (await removeForCase(context, { sha256 }, reference)).files;
  return done;
}

/** The same in the transaction of a restore. The owners were told when it happened. */
export async function repeatRemovals(tx: Transaction, now: number): Promise<void> {
  for (const { blobId, reason, ...of } of await unfinishedRemovals(tx))
    await removeHeldBytes(tx, { blobId, reason, now }, async (_, owner) => {
      if (reason === 'takedown') await countAgainst(tx, owner.id, { ...of, now });
    });
}

async function unfinishedRemovals(db: Database) {
  const held = await db
    .selectFrom('blobs')
    .leftJoin('blocked_digests', 'blocked_digests.sha256', 'blobs.sha256')
    .select((eb) => [
      'blobs.id',
      'blobs.sha256',
      'blobs.held_for',
      'blocked_digests.reference',
      eb
        .selectFrom('takedown_cases')
        .select('takedown_cases.reference')
        .whereRef('takedown_cases.sha256', '=', 'blobs.sha256')
        .where('takedown_cases.closed_at', 'is', null)
        .orderBy('takedown_cases.opened_at')
        .orderBy('takedown_cases.reference')
        .limit(1)
        .as('open_case'),
    ])
    // Written out so that the partial index is used.
    .where(sql<boolean>`blobs.held_for IS NOT NULL AND blobs.used_by > 0`)
    .execute();
  return held.map(({ id, sha256, held_for, reference, open_case }) => ({
    blobId: id,
    sha256,
    reason: held_for === 'malware' && open_case === null ? ('malware' as const) : ('takedown' as const),
    reference: open_case ?? reference ?? 'unknown',
  }));
}
