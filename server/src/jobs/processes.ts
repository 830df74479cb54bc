/** Processes that run. One that is killed leaves its row behind; a move asks which of them were seen lately. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { days } from '../lib/clock.ts';

export interface ProcessNote {
  /** Records that the process runs. Call it at the start and every minute. */
  renew(): Promise<void>;
  /** Records that the process ends in order. */
  end(): Promise<void>;
}

export function openProcessNote({ db, clock }: Pick<Context, 'db' | 'clock'>): ProcessNote {
  const id = randomUUID();
  return {
    async renew() {
      const now = clock.now();
      await db
        .insertInto('processes')
        .values({ id, started_at: now, seen_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
        .execute();
      await db
        .deleteFrom('processes')
        .where('seen_at', '<', now - days(1))
        .execute();
    },
    async end() {
      await db.deleteFrom('processes').where('id', '=', id).execute();
    },
  };
}
