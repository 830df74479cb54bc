import { sql } from 'kysely';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Database } from './database.ts';

/** All nodes write rows by one clock, whatever those of their machines say. */
export async function openDatabaseClock(db: Database, local: Pick<Clock, 'monotonic'> = systemClock) {
  const monotonic = () => local.monotonic();
  let ahead = 0;
  const clock = {
    now: () => Math.floor(monotonic() + ahead),
    monotonic,
    async synchronize() {
      const askedAt = monotonic();
      const { rows } = await sql<{ readonly now: number }>`
        SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`.execute(db);
      // The answer is from between the question and its arrival.
      if (rows[0]) ahead = rows[0].now - (askedAt + monotonic()) / 2;
    },
  } satisfies Clock;
  await clock.synchronize();
  return clock;
}
