/**
 * Processes that run, and those that were killed: a process deletes its row when it ends in order. What a killed process
 * was storing has no row, so bytes without one are expected from its last minutes. Older ones have got a row before the
 * process notes that it runs, or that it has ended.
 */
import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { days, minutes } from '../lib/clock.ts';

/** Longer than an upload takes from its last byte to its commit, and than a process lives on after its last note. */
const around = minutes(10);
const killedAreKeptFor = days(90);

type Parts = Pick<Context, 'db' | 'clock'>;

export interface ProcessNote {
  /** Records that the process runs. Call it at the start and every minute. */
  renew(): Promise<void>;
  /** Records that the process ends in order. */
  end(): Promise<void>;
}

export function openProcessNote({ db, clock }: Parts): ProcessNote {
  const id = randomUUID();
  return {
    async renew() {
      const now = clock.now();
      await db
        .insertInto('processes')
        .values({ id, started_at: now, seen_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
        .execute();
    },
    async end() {
      await db.deleteFrom('processes').where('id', '=', id).execute();
    },
  };
}

/** Call it only while the clock can be trusted: a clock that is ahead would make all of them old. */
export async function forgetOldKills({ db, clock }: Parts): Promise<void> {
  await db
    .deleteFrom('processes')
    .where('seen_at', '<', clock.now() - killedAreKeptFor)
    .execute();
}

/** Returns whether a process was killed about that time, so that bytes without a row are expected from then. */
export async function readKills({ db }: Pick<Context, 'db'>): Promise<(time: number) => boolean> {
  const rows = await db.selectFrom('processes').select('seen_at').execute();
  return (time) => rows.some(({ seen_at }) => Math.abs(time - seen_at) <= around);
}
