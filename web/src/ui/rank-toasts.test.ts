import { expect, test } from 'vitest';
import { rankToasts } from './rank-toasts.ts';

const toast = (id: string, type: 'success' | 'error' = 'success', visible = true) => ({ id, type, visible });
const topDown = (...toasts: Parameters<typeof rankToasts>[0][number][]) =>
  [...rankToasts(toasts)].toSorted(([, one], [, other]) => one - other).map(([id]) => id);

test('the newest lies on top', () => {
  expect(topDown(toast('third'), toast('second'), toast('first'))).toEqual(['third', 'second', 'first']);
});

test('what went wrong lies on top of what went well', () => {
  expect(topDown(toast('new'), toast('wrong', 'error'), toast('old'))).toEqual(['wrong', 'new', 'old']);
});

test('a fading toast makes room', () => {
  expect(topDown(toast('new', 'success', false), toast('old'))).toEqual(['old']);
});
