import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { minutes } from '../lib/clock.ts';

/** A holder that has not renewed its lease for this long is considered dead. */
export const leaseFor = minutes(2);

/** Returns null when another process holds the lease, or a run has begun at `since` or later. */
export async function takeLease(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  name: string,
  since = Number.MAX_SAFE_INTEGER,
) {
  const holder = randomUUID();
  const now = clock.now();
  const taking = { holder, leased_until: now + leaseFor, last_started_at: now };
  let heldUntil = clock.monotonic() + leaseFor;
  const taken = await db
    .insertInto('jobs')
    .values({ name, ...taking })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(taking)
        .where('jobs.leased_until', '<=', now)
        .where((eb) => eb.or([eb('jobs.leased_until', '<>', 0), eb('jobs.last_started_at', '<', since)])),
    )
    .returning('name')
    .executeTakeFirst();
  if (!taken) return null;
  const mine = db.updateTable('jobs').where('name', '=', name).where('holder', '=', holder);
  return {
    async renew(): Promise<boolean> {
      try {
        const renewed = await mine.set({ leased_until: clock.now() + leaseFor }).executeTakeFirstOrThrow();
        if (Number(renewed.numUpdatedRows) === 0) return false;
        heldUntil = clock.monotonic() + leaseFor;
        return true;
      } catch {
        // A short database outage does not cost the holder its job.
        return clock.monotonic() < heldUntil;
      }
    },
    end: (finished: boolean) => mine.set({ leased_until: finished ? 0 : clock.now(), holder: '' }).execute(),
  };
}
