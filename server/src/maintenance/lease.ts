/** Who may run a job: one process at a time, by the job's row, and whoever finds a holder dead takes its place. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { clockSkew, minutes } from '../lib/clock.ts';

/** A holder that has not said that it lives for so long is dead. */
export const leaseFor = minutes(2);

export interface Lease {
  /** Of the run before this one: what the operator has said may go. */
  readonly allowed: number | null;
  /** Says that its holder lives. False when somebody else has the job, or may have it because nobody could be told. */
  renew(): Promise<boolean>;
  /** Gives the job back; unfinished, it is taken again before its next time comes. */
  end(finished: boolean): Promise<void>;
}

export interface TakeOptions {
  /** Only if no run has begun since then: of all processes that fire at one time, one runs. */
  readonly since?: number;
}

/**
 * Takes a job, or answers null when somebody else has it. One statement decides. A lease or a start that lies further
 * ahead than any could is of a clock that has jumped back since, and counts for nothing.
 */
export async function takeLease(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  name: string,
  { since = Number.MAX_SAFE_INTEGER }: TakeOptions = {},
): Promise<Lease | null> {
  const holder = randomUUID();
  const now = clock.now();
  let until = now + leaseFor;
  const taken = await db
    .insertInto('jobs')
    .values({ name, holder, leased_until: until, last_started_at: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, leased_until: until, last_started_at: now })
        .where((eb) =>
          eb.or([eb('jobs.leased_until', '<=', now), eb('jobs.leased_until', '>', now + leaseFor + clockSkew)]),
        )
        .where((eb) =>
          eb.or([
            eb('jobs.leased_until', '<>', 0),
            eb('jobs.last_started_at', '<', since),
            eb('jobs.last_started_at', '>', now + clockSkew),
          ]),
        ),
    )
    .returning('allowed')
    .executeTakeFirst();
  if (!taken) return null;
  const mine = () => db.updateTable('jobs').where('name', '=', name).where('holder', '=', holder);
  return {
    allowed: taken.allowed,
    async renew() {
      const renewed = clock.now() + leaseFor;
      try {
        const { numUpdatedRows } = await mine().set({ leased_until: renewed }).executeTakeFirstOrThrow();
        if (Number(numUpdatedRows) === 0) return false;
        until = renewed;
        return true;
      } catch {
        // A database that is away for a moment takes the job from nobody, before the time is over.
        return clock.now() < until;
      }
    },
    async end(finished) {
      await mine()
        .set({ leased_until: finished ? 0 : clock.now(), holder: '' })
        .execute();
    },
  };
}
