import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { expect, test } from 'vitest';
import { retryDelay, shouldRetry, shouldRetryChange } from './retry.ts';

const refusedWith = (status: number, retryAfterSeconds?: number) =>
  new CallFailed('refused', status, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

test('missing responses and server errors are retried three times', () => {
  for (const error of [
    new CallFailed('no-response', 0),
    refusedWith(503),
    refusedWith(429),
    new CallFailed('unreadable', 502),
  ]) {
    expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, error))).toEqual([true, true, true, false]);
  }
});

test('a refusal is not retried', () => {
  expect(shouldRetry(0, refusedWith(401))).toBe(false);
  expect(shouldRetry(0, refusedWith(404))).toBe(false);
});

test('a mutation is retried only after a refusal by the rate limit', () => {
  const limited = new CallFailed('refused', 429, { code: 'RATE_LIMITED' });
  expect([0, 1, 2, 3].map((failures) => shouldRetryChange(failures, limited))).toEqual([true, true, true, false]);
  for (const error of [
    new CallFailed('no-response', 0),
    new CallFailed('unreadable', 502),
    new CallFailed('refused', 429, { code: 'TOO_MANY_ATTEMPTS' }),
    refusedWith(503),
  ]) {
    expect(shouldRetryChange(0, error)).toBe(false);
  }
});

test('waits double up to 30 seconds and respect Retry-After', () => {
  expect([0, 1, 2, 9].map((failures) => retryDelay(failures, refusedWith(503)))).toEqual([1000, 2000, 4000, 30_000]);
  expect(retryDelay(0, refusedWith(429, 7))).toBe(7000);
});
