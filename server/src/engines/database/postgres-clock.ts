import { sql } from 'kysely';
import { type Clock, seconds, systemClock, withSteadyTime } from '../../lib/clock.ts';
import type { Database } from './database.ts';

const measuredEvery = seconds(10);

/** The time of PostgreSQL's machine, in milliseconds since the epoch. */
export const databaseTime = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

export interface PostgresClockOptions {
  /** The clock of this machine. */
  readonly own?: Pick<Clock, 'now' | 'elapsed'>;
  /** Milliseconds between two measurements. */
  readonly every?: number;
}

export interface PostgresClock extends Clock, AsyncDisposable {
  /** Milliseconds by which it is ahead of the clock of this machine. */
  difference(): number;
}

/**
 * The clock of PostgreSQL's machine, which all processes of a service share: a lease or a code that one of them writes
 * ends at the same moment for all, however their own clocks differ. It measures how far that clock is ahead of the own
 * one. While the database is away, the last measurement counts.
 */
export async function openPostgresClock(
  db: Database,
  { own = systemClock, every = measuredEvery }: PostgresClockOptions = {},
): Promise<PostgresClock> {
  let ahead = 0;
  const measure = async () => {
    const sentAt = own.now();
    const { rows } = await sql<{ now: number }>`SELECT ${databaseTime} AS now`.execute(db);
    const arrivedAt = own.now();
    // The database read its clock in between. Inside these bounds nothing shows that the last measurement was wrong.
    for (const { now } of rows) ahead = Math.min(Math.max(ahead, now - arrivedAt), now - sentAt);
  };
  await measure();
  let measuring: Promise<void> | null = null;
  const timer = setInterval(() => {
    measuring ??= measure()
      .catch(() => {})
      .finally(() => (measuring = null));
  }, every).unref();
  return {
    ...withSteadyTime({ now: () => own.now() + ahead, elapsed: () => own.elapsed() }),
    difference: () => ahead,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await measuring;
    },
  };
}
