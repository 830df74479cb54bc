import type { Context } from '../context.ts';
import { checkClockOnce } from '../maintenance/check-clock.ts';
import { acceptClock, type ClockHold, readClockHold } from '../maintenance/clock-hold.ts';
import { jobs } from '../maintenance/schedule.ts';
import { type Actor, recordAction } from './record-action.ts';

/** Names of the jobs that hold still after the clock has jumped. */
export const heldJobs: readonly string[] = jobs.filter((job) => job.trustsClock).map(({ name }) => name);

/** Checks the clock, and returns why jobs hold still, or null if they do not. */
export async function lookAtClock(context: Context): Promise<ClockHold | null> {
  await checkClockOnce(context);
  return readClockHold(context);
}

/** Confirms that the clock is right. Returns false if no job holds still. */
export async function confirmClock(context: Context, actor: Actor): Promise<boolean> {
  const hold = await lookAtClock(context);
  if (!hold) return false;
  await acceptClock(context);
  await recordAction(context, actor, { subject: 'clock', details: { jumpedByMs: hold.by, cause: hold.cause } });
  return true;
}
