import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { expect, test } from 'vitest';
import { failureWords } from './failure-words.ts';

const refused = (status: number, retryAfterSeconds?: number) =>
  failureWords(new CallFailed('refused', status, retryAfterSeconds === undefined ? {} : { retryAfterSeconds }));

test('too many runs are told with the limits and the wait', () => {
  const limits = 'Limit: 20 tests an hour per IP address, 2 at once.';
  expect(refused(429, 10)).toBe(`${limits} Try again in 10 seconds.`);
  expect(refused(429, 601)).toBe(`${limits} Try again in 11 minutes.`);
  expect(refused(429)).toBe(`${limits} Try again later.`);
});

test('without an answer the connection is the thing to check', () => {
  expect(failureWords(new CallFailed('no-response', 0))).toContain('Check your connection');
  expect(failureWords(new TypeError('Failed to fetch'))).toContain('Check your connection');
});

test('any other refusal is told with its status', () => {
  expect(refused(503)).toBe('The server could not run the test (status 503). Try again later.');
});
