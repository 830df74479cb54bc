import { expect, test } from 'vitest';
import { addBytes, startMeasuring } from './run-speed-test.ts';
import { nextState, type SpeedTestEvent, untested } from './speed-test-state.ts';
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { failureWords } from './speed-test-state.ts';

const measured = addBytes(startMeasuring(0), 1_000_000, 2000);
const after = (...events: readonly SpeedTestEvent[]) => events.reduce(nextState, untested);

test('an ended run keeps its average beside the plan', () => {
  const state = after({ type: 'started', level: 'free' }, { type: 'read', measured }, { type: 'ended', measured });
  expect(state).toMatchObject({ level: 'free', phase: 'done', results: { free: 4 } });
});

test('a canceled run has no result, and earlier results are kept', () => {
  const state = after(
    { type: 'started', level: 'free' },
    { type: 'ended', measured },
    { type: 'started', level: 'power' },
    { type: 'read', measured },
    { type: 'canceled' },
  );
  expect(state).toMatchObject({ level: 'power', phase: 'canceled', measured: null, results: { free: 4 } });
});

test('events after the end of a canceled run change nothing', () => {
  const canceled = after({ type: 'started', level: 'free' }, { type: 'canceled' });
  expect(nextState(canceled, { type: 'ended', measured })).toBe(canceled);
  expect(nextState(canceled, { type: 'failed', problem: 'late' })).toBe(canceled);
});

test('a new run clears the problem of the last one', () => {
  const failed = after({ type: 'started', level: 'free' }, { type: 'failed', problem: 'no' });
  expect(failed).toMatchObject({ phase: 'failed', problem: 'no' });
  expect(nextState(failed, { type: 'started', level: 'free' })).toMatchObject({ phase: 'running', problem: '' });
});

const refused = (status: number, retryAfterSeconds?: number) =>
  failureWords(new CallFailed('refused', status, retryAfterSeconds === undefined ? {} : { retryAfterSeconds }));

test('a refusal for too many runs shows the limits and the wait', () => {
  const limits = 'Limit: 20 tests an hour per IP address, 2 at once.';
  expect(refused(429, 10)).toBe(`${limits} Try again in 10 seconds.`);
  expect(refused(429, 601)).toBe(`${limits} Try again in 11 minutes.`);
  expect(refused(429)).toBe(`${limits} Try again later.`);
});

test('without a response the message says to check the connection', () => {
  expect(failureWords(new CallFailed('no-response', 0))).toContain('Check your connection');
  expect(failureWords(new TypeError('Failed to fetch'))).toContain('Check your connection');
});

test('any other refusal is shown with its status', () => {
  expect(refused(503)).toBe('The server could not run the test (status 503). Try again later.');
});
