import type { Reading } from './speed-meter.ts';

type Point = Pick<Reading, 'seconds' | 'mbps'>;

/** Returns the top of a scale that fits a value: a round number whose half is round too. */
export function scaleTop(value: number): number {
  if (value <= 0) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8].find((step) => step * decade >= value) ?? 10) * decade;
}

/** The readings as a line in a box of 100 by 100. The line starts at time 0, at the height of the first reading. */
export function linePoints(readings: readonly Point[], top: number, seconds: number): string {
  const points = readings.map((reading) => `${round((reading.seconds / seconds) * 100)},${height(reading.mbps, top)}`);
  const [first] = readings;
  return first ? [`0,${height(first.mbps, top)}`, ...points].join(' ') : '';
}

/** Distance from the top of a box with height 100. */
export const height = (mbps: number, top: number): number => round(100 - (mbps / top) * 100);

const round = (value: number) => Math.round(value * 100) / 100;
