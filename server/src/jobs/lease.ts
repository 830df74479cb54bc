/** Leases on jobs: the job's row lets one process run it at a time, and another takes over when the holder is dead. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { minutes } from '../lib/clock.ts';

/** A holder that has not renewed its lease for this long is considered dead. */
export const leaseFor = minutes(2);

export interface Lease {
  /**
   * Extends the lease. Returns false when another process has the job, or may have it because the database was
   * unreachable.
   */
  renew(): Promise<boolean>;
  /** Releases the job. An unfinished one may be run again before its next scheduled time. */
  end(finished: boolean): Promise<void>;
}

export interface TakeOptions {
  /** Take the lease only if no run has begun since then: of all processes that fire at the same time, one runs. */
  readonly since?: number;
}

/**
 * Takes the lease of a job, or returns null when another process holds it. A single statement decides.
 */
export async function takeLease(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  name: string,
  { since = Number.MAX_SAFE_INTEGER }: TakeOptions = {},
): Promise<Lease | null> {
  const holder = randomUUID();
  const now = clock.now();
  const until = now + leaseFor;
  let heldUntil = clock.monotonic() + leaseFor;
  const taken = await db
    .insertInto('jobs')
    .values({ name, holder, leased_until: until, last_started_at: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, leased_until: until, last_started_at: now })
        .where('jobs.leased_until', '<=', now)
        .where((eb) => eb.or([eb('jobs.leased_until', '<>', 0), eb('jobs.last_started_at', '<', since)])),
    )
    .returning('name')
    .executeTakeFirst();
  if (!taken) return null;
  const mine = () => db.updateTable('jobs').where('name', '=', name).where('holder', '=', holder);
  return {
    async renew() {
      const renewed = clock.now() + leaseFor;
      try {
        const { numUpdatedRows } = await mine().set({ leased_until: renewed }).executeTakeFirstOrThrow();
        if (Number(numUpdatedRows) === 0) return false;
        heldUntil = clock.monotonic() + leaseFor;
        return true;
      } catch {
        // A short database outage does not cost the holder its job before the lease expires.
        return clock.monotonic() < heldUntil;
      }
    },
    async end(finished) {
      await mine()
        .set({ leased_until: finished ? 0 : clock.now(), holder: '' })
        .execute();
    },
  };
}
