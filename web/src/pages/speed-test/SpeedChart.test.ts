import { expect, test } from 'vitest';
import { height, linePoints, scaleTop } from './SpeedChart.tsx';

test.each([
  [0, 1],
  [0.3, 0.3],
  [4.2, 5],
  [5, 5],
  [5.1, 6],
  [20, 20],
  [104, 120],
  [940, 1000],
  [2600, 3000],
])('%f Mbps are drawn on a scale up to %f', (value, top) => {
  expect(scaleTop(value)).toBeCloseTo(top);
});

test('the line starts at the left edge, and 0 is at the bottom', () => {
  const readings = [
    { seconds: 2.5, mbps: 4 },
    { seconds: 5, mbps: 0 },
  ];
  expect(linePoints(readings, 8, 10)).toBe('0,50 25,50 50,100');
  expect(linePoints([], 8, 10)).toBe('');
  expect(height(8, 8)).toBe(0);
});
