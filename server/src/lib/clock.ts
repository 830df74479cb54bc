/** Where the time comes from, so that tests can move it. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const seconds = (n: number): number => n * 1000;
export const minutes = (n: number): number => seconds(n * 60);
export const hours = (n: number): number => minutes(n * 60);
export const days = (n: number): number => hours(n * 24);

/** Clocks of several machines differ; a time further ahead than this is of a clock that has jumped back since. */
export const clockSkew = minutes(5);

/** RFC 3339 in UTC with `Z` (decisions section 2). */
export const timeText = (ms: number): string => new Date(ms).toISOString();
