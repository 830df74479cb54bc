export interface Clock {
  now(): number;
  /** For waits and limits in memory. */
  monotonic(): number;
  /** Of a clock that follows another one. */
  synchronize?(): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

export const seconds = (n: number): number => n * 1000;
export const minutes = (n: number): number => seconds(n * 60);
export const hours = (n: number): number => minutes(n * 60);
export const days = (n: number): number => hours(n * 24);

export const timeText = (ms: number): string => new Date(ms).toISOString();
