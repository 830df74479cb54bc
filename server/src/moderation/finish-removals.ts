import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { quarantine } from './quarantine.ts';
import { removeForCase } from './take-down.ts';

/**
 * Finishes quarantines and takedowns that were killed halfway: bytes that are held but still used by live files. A
 * removal belongs to an open case, so that it is counted and its email is sent. Returns numbers of files.
 */
export async function finishRemovals(context: Context): Promise<{ quarantined: number; takenDown: number }> {
  const unfinished = await context.db
    .selectFrom('blobs')
    .leftJoin('blocked_digests', 'blocked_digests.sha256', 'blobs.sha256')
    .select((eb) => [
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
  const done = { quarantined: 0, takenDown: 0 };
  for (const { sha256, held_for, reference, open_case } of unfinished) {
    const named = open_case ?? reference ?? 'unknown';
    if (held_for === 'malware' && open_case === null)
      done.quarantined += (await quarantine(context, { sha256 }, named)).files;
    else done.takenDown += (await removeForCase(context, { sha256 }, named)).files;
  }
  return done;
}
