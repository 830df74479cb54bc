import { expect, test } from 'vitest';
import { rankToasts } from './rank-toasts.ts';

const toast = (id: string, type: 'success' | 'error' = 'success', visible = true) => ({ id, type, visible });
const topDown = (...toasts: Parameters<typeof rankToasts>[0][number][]) =>
  [...rankToasts(toasts)].toSorted(([, one], [, other]) => one - other).map(([id]) => id);

test('the newest toast is on top', () => {
  expect(topDown(toast('third'), toast('second'), toast('first'))).toEqual(['third', 'second', 'first']);
});

test('errors are above successes', () => {
  expect(topDown(toast('new'), toast('wrong', 'error'), toast('old'))).toEqual(['wrong', 'new', 'old']);
});

test('a fading toast is not ranked', () => {
  expect(topDown(toast('new', 'success', false), toast('old'))).toEqual(['old']);
});
