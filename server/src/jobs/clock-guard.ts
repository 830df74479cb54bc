import type { Context } from '../context.ts';
import { readFact, writeFact } from '../storage/db/service-facts.ts';
import { days, hours, minutes } from '../lib/clock.ts';

const heartbeat = 'heartbeat';
const pause = 'deletions paused until';

type Parts = Pick<Context, 'db' | 'clock'>;

/** To a clock that has jumped everything looks old, and no owner can use a service that is off. */
export async function noteHeartbeat({ db, clock, log }: Parts & Pick<Context, 'log'>): Promise<void> {
  const now = clock.now();
  const gap = now - ((await readFact(db, heartbeat))?.at ?? now);
  if (Math.abs(gap) > hours(1)) {
    const until = (await readFact(db, pause))?.at ?? 0;
    const isShort = gap > 0 && gap <= days(1);
    // A machine that is off every night would otherwise pause always.
    if (!isShort || until < now - days(6)) {
      await writeFact(db, pause, { value: '', at: now + days(1) });
      const what = 'the clock jumped, or the service was off: jobs that delete by age pause for 24 hours';
      if (until <= now) log.error({ gapMinutes: Math.round(gap / minutes(1)) }, isShort ? what : `ALARM: ${what}`);
    }
    if (gap < 0) await forgetFuture(db, now);
  }
  await writeFact(db, heartbeat, { value: '', at: now });
}

async function forgetFuture(db: Context['db'], now: number): Promise<void> {
  const begun = { leased_until: 0, last_started_at: 0 };
  await db.updateTable('jobs').set(begun).where('last_started_at', '>', now).execute();
  await db.updateTable('outgoing_emails').set({ due_at: now }).where('due_at', '>', now).execute();
}

export async function pauseLeft({ db, clock }: Parts): Promise<number> {
  return Math.max(0, ((await readFact(db, pause))?.at ?? 0) - clock.now());
}
