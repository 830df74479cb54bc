import { expect, test } from 'vitest';
import { scaleTop } from './SpeedChart.tsx';

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
