/**
 * Everything looks old to a clock that has jumped, and no owner can use a service that is off. After either, jobs that
 * delete by age pause for a day. The last heartbeat in the database shows both.
 */
import type { Context } from '../context.ts';
import { readFact, writeFact } from '../storage/db/service-facts.ts';
import { days, hours, minutes } from '../lib/clock.ts';

const heartbeat = 'heartbeat';
const pause = 'deletions paused until';
const pausedFor = days(1);

type Parts = Pick<Context, 'db' | 'clock'>;

/** Every process calls it once a minute, and before each job. */
export async function noteHeartbeat(context: Parts & Pick<Context, 'log'>): Promise<void> {
  const { db, clock, log } = context;
  const now = clock.now();
  const gap = now - ((await readFact(db, heartbeat))?.at ?? now);
  if (Math.abs(gap) > hours(1)) {
    const until = (await readFact(db, pause))?.at ?? 0;
    const isShort = gap > 0 && gap <= days(1);
    // A machine that is off every night would otherwise pause always.
    if (!isShort || until < now - days(6)) {
      await writeFact(db, pause, { value: '', at: now + pausedFor });
      const alarm = isShort ? '' : 'ALARM: ';
      const facts = { gapMinutes: Math.round(gap / minutes(1)) };
      if (until <= now)
        log.error(
          facts,
          `${alarm}the clock jumped, or the service was off: jobs that delete by age pause for 24 hours`,
        );
    }
    if (gap < 0) await forgetFuture(context, now);
  }
  await writeFact(db, heartbeat, { value: '', at: now });
}

/** What was put off while the clock was ahead would wait until that time comes again. */
async function forgetFuture({ db }: Parts, now: number): Promise<void> {
  const begun = { leased_until: 0, last_started_at: 0 };
  await db.updateTable('jobs').set(begun).where('last_started_at', '>', now).execute();
  await db.updateTable('outgoing_emails').set({ due_at: now }).where('due_at', '>', now).execute();
}

/** Milliseconds until jobs may delete by age; 0 if they may. */
export async function pauseLeft({ db, clock }: Parts): Promise<number> {
  return Math.max(0, ((await readFact(db, pause))?.at ?? 0) - clock.now());
}

/** A command was refused because nothing is deleted by its age. */
export class DeletionsPaused extends Error {
  constructor(left: number) {
    super(
      `The clock jumped, or the service was off: nothing is deleted by its age for ${Math.ceil(left / hours(1))} more hours.`,
    );
    this.name = 'DeletionsPaused';
  }
}
