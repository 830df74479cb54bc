import { sql } from 'kysely';
import type { Memory } from '../accounts/close-account.ts';
import type { Context } from '../context.ts';
import { quarantine } from './quarantine.ts';
import { removeForCase } from './take-down.ts';

export interface FinishedRemovals {
  /** Files. */
  readonly quarantined: number;
  /** Files. */
  readonly takenDown: number;
}

/**
 * Does the rest of quarantines and takedowns that were killed half-way: bytes that are held and still some live file's.
 * Where a case is open it is the case that takes them, so that it counts and its letter goes out.
 */
export async function finishRemovals(context: Context, memory: Memory): Promise<FinishedRemovals> {
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
    // As the index has it, so that it is used.
    .where(sql<boolean>`blobs.held_for IS NOT NULL AND blobs.used_by > 0`)
    .execute();
  const done = { quarantined: 0, takenDown: 0 };
  for (const { sha256, held_for, reference, open_case } of unfinished) {
    const named = open_case ?? reference ?? 'unknown';
    if (held_for === 'malware' && open_case === null)
      done.quarantined += (await quarantine(context, memory, { sha256 }, named)).files;
    else done.takenDown += (await removeForCase(context, memory, { sha256 }, named)).files;
  }
  return done;
}
