/** Source of the current time, which tests can control. */
export interface Clock {
  /** Milliseconds since the epoch. An administrator, or a wrong time server, can set this clock to any time. */
  now(): number;
  /** Milliseconds since some moment, by a clock that nobody can set: for waits and limits in this process's memory. */
  elapsed(): number;
  /**
   * Like `now`, for what expires soon and for refusing what has expired: a jump ahead of more than an hour counts only
   * after 24 more hours, so that a wrong time does not end all sessions, codes and emails at once.
   */
  steadyNow(): number;
  /**
   * Continues the doubt of an earlier process about a jump of `by` ahead, for the `left` milliseconds: this one began
   * after it.
   */
  beganAfterJump(by: number, left: number): void;
}

export const seconds = (n: number): number => n * 1000;
export const minutes = (n: number): number => seconds(n * 60);
export const hours = (n: number): number => minutes(n * 60);
export const days = (n: number): number => hours(n * 24);

/** A smaller step is a correction of the clock; a larger one is a jump, and may be wrong. */
export const smallestJump = hours(1);
const jumpsDoubtedFor = days(1);

/** A clock with a steady time beside the given ones. */
export function withSteadyTime({ now, elapsed }: Pick<Clock, 'now' | 'elapsed'>): Clock {
  /** The difference between both clocks while neither jumped. */
  let difference = now() - elapsed();
  let jumpedAt: number | null = null;
  const steadyNow = () => {
    const at = elapsed();
    const ahead = now() - at - difference;
    const isDoubted = ahead > smallestJump && at - (jumpedAt ??= at) < jumpsDoubtedFor;
    if (!isDoubted) {
      jumpedAt = null;
      difference += ahead;
    }
    return Math.round(at + difference);
  };
  const beganAfterJump = (by: number, left: number) => {
    difference -= by;
    jumpedAt = elapsed() - (jumpsDoubtedFor - left);
  };
  return { now, elapsed, steadyNow, beganAfterJump };
}

export const systemClock: Clock = withSteadyTime({ now: () => Date.now(), elapsed: () => performance.now() });

/** A machine whose clock is further from that of the database's needs its operator. */
export const alarmingDifference = seconds(30);
/** Beyond that it runs no jobs: times that its disk and its kernel give to files mean nothing to the other machines. */
export const largestDifference = minutes(5);

/** Says how far the clock of the database's machine is ahead of that of this machine, in milliseconds. */
export function clocksDiffer(difference: number): string {
  const apart = Math.round(Math.abs(difference) / seconds(1));
  const jobs = Math.abs(difference) > largestDifference ? ', so no jobs run here' : '';
  return `it is ${apart} seconds ${difference > 0 ? 'behind' : 'ahead'}${jobs}`;
}

/** Clocks of different machines differ. A time further ahead than this was written before a clock was set back. */
export const clockSkew = minutes(10);

/**
 * Returns whether a note of something that goes on, at most one for each `every` milliseconds, is due again. A note in
 * the future was written before a clock was set back, so a new one replaces it.
 */
export const isNoteDue = (notedAt: number, now: number, every: number): boolean =>
  notedAt < now - every || notedAt > now + clockSkew;

/** RFC 3339 in UTC with `Z`. */
export const timeText = (ms: number): string => new Date(ms).toISOString();
