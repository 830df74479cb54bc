import type { Reading } from './speed-meter.ts';

type Point = Pick<Reading, 'seconds' | 'mbps'>;

/** The top of a scale that has room for a value: a round number of which the half is round too. */
export function scaleTop(value: number): number {
  if (value <= 0) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8].find((step) => step * decade >= value) ?? 10) * decade;
}

/** The readings as a line in a box of 100 by 100, from the moment when nothing had come. */
export function linePoints(readings: readonly Point[], top: number, seconds: number): string {
  const points = readings.map((reading) => `${round((reading.seconds / seconds) * 100)},${height(reading.mbps, top)}`);
  const [first] = readings;
  return first ? [`0,${height(first.mbps, top)}`, ...points].join(' ') : '';
}

/** How far below the top of the box, of 100. */
export const height = (mbps: number, top: number): number => round(100 - (mbps / top) * 100);

const round = (value: number) => Math.round(value * 100) / 100;
