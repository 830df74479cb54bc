/** Source of the current time, which tests can control. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const seconds = (n: number): number => n * 1000;
export const minutes = (n: number): number => seconds(n * 60);
export const hours = (n: number): number => minutes(n * 60);
export const days = (n: number): number => hours(n * 24);

/** Clocks of different machines differ. A time further ahead than this was written before a clock was set back. */
export const clockSkew = minutes(5);

/** RFC 3339 in UTC with `Z`. */
export const timeText = (ms: number): string => new Date(ms).toISOString();
