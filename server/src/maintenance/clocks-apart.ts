/** Compares the clock of this machine with that of the database's machine, by which all processes of a service count. */
import type { Context } from '../context.ts';
import { alarmingDifference, clocksDiffer, hours, largestDifference, seconds } from '../lib/clock.ts';

const repeatedEvery = hours(1);

type Parts = Pick<Context, 'clockDifference' | 'clock' | 'log'>;

/**
 * Returns a function that raises the alarm if the clocks are more than 30 seconds apart: when it finds that first, when
 * the jobs stop for it, and each hour while it lasts.
 */
export function createClockComparison({ clockDifference, clock, log }: Parts): () => void {
  let raised: { readonly isFar: boolean; readonly at: number } | null = null;
  return () => {
    const difference = clockDifference();
    if (Math.abs(difference) <= alarmingDifference) {
      if (raised) log.info('the clock of this machine is right again');
      raised = null;
      return;
    }
    const isFar = Math.abs(difference) > largestDifference;
    const at = clock.elapsed();
    if (raised && raised.isFar === isFar && at - raised.at < repeatedEvery) return;
    raised = { isFar, at };
    log.error(
      { differenceSeconds: Math.round(difference / seconds(1)) },
      `ALARM: the clock of this machine is not that of the database: ${clocksDiffer(difference)}`,
    );
  };
}

/** Whether this process may run jobs. */
export const isClockNear = ({ clockDifference }: Pick<Context, 'clockDifference'>): boolean =>
  Math.abs(clockDifference()) <= largestDifference;

/** A job was refused because the clock of this machine is wrong. */
export class ClocksApart extends Error {
  constructor(difference: number) {
    super(`The clock of this machine is not that of the database: ${clocksDiffer(difference)}.`);
    this.name = 'ClocksApart';
  }
}

/** @throws {ClocksApart} */
export function requireNearClock(context: Pick<Context, 'clockDifference'>): void {
  if (!isClockNear(context)) throw new ClocksApart(context.clockDifference());
}
