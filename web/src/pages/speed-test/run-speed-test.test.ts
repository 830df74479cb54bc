import { expect, test } from 'vitest';
import { addBytes, averageMbps, type Measured, startMeasuring } from './run-speed-test.ts';

type Piece = readonly [bytes: number, at: number];
const download = (pieces: readonly Piece[]): Measured =>
  pieces.reduce((measured, [bytes, at]) => addBytes(measured, bytes, at), startMeasuring(1000));
const shown = ({ readings }: Measured) => readings.map(({ seconds, mbps }) => [seconds, mbps]);

test('a steady stream gives the same speed throughout', () => {
  const measured = download([125, 250, 375, 500, 625, 750].map((at): Piece => [62_500, 1000 + at]));
  expect(shown(measured)).toEqual([
    [0.25, 4],
    [0.5, 4],
    [0.75, 4],
  ]);
  expect(averageMbps(measured)).toBe(4);
});

test('a reading covers only the last second', () => {
  const half = download([250, 500, 750, 1000].map((at): Piece => [0, 1000 + at]));
  const full = [1250, 1500, 1750, 2000].reduce((measured, at) => addBytes(measured, 250_000, 1000 + at), half);
  expect(shown(full).slice(3)).toEqual([
    [1, 0],
    [1.25, 2],
    [1.5, 4],
    [1.75, 6],
    [2, 8],
  ]);
  expect(averageMbps(full)).toBe(4);
});

test('time without bytes lowers the speed', () => {
  const measured = download([
    [1_000_000, 2000],
    [0, 3000],
  ]);
  expect(shown(measured)).toEqual([
    [1, 8],
    [2, 4],
  ]);
  expect(averageMbps(measured)).toBe(4);
});
