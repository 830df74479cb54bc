import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { MutationObserver, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from './query-client.ts';
import { accountKey } from './session-end.ts';
import { accountQuery } from './session.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  queryClient.clear();
});

const silence = () => Promise.reject(new CallFailed('no-response', 0));
const signInFirst = () => Promise.reject(new CallFailed('refused', 401, { code: 'AUTH_REQUIRED' }));

function ask(queryFn: () => Promise<unknown>) {
  const call = vi.fn<() => Promise<unknown>>(queryFn);
  const observer = new QueryObserver(queryClient, { queryKey: ['kelp'], queryFn: call });
  return { call, leave: observer.subscribe(() => {}), observer };
}

test('a query that gets no answer is asked three times more, later each time', async () => {
  const { call, leave } = ask(silence);
  const calls: number[] = [];
  for (const wait of [0, 999, 1, 1999, 1, 3999, 1, 60_000]) {
    await vi.advanceTimersByTimeAsync(wait);
    calls.push(call.mock.calls.length);
  }
  expect(calls).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  leave();
});

test('no wait is longer than 30 seconds', async () => {
  const { call, leave } = ask(() => Promise.reject(new CallFailed('refused', 429, { retryAfterSeconds: 600 })));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(call).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(call).toHaveBeenCalledTimes(2);
  leave();
});

test('an answer that nobody looks at is kept for five minutes', async () => {
  const { leave } = ask(() => Promise.resolve('kelp'));
  await vi.advanceTimersByTimeAsync(0);
  leave();
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1);
  expect(queryClient.getQueryData(['kelp'])).toBe('kelp');
  await vi.advanceTimersByTimeAsync(1);
  expect(queryClient.getQueryData(['kelp'])).toBeUndefined();
});

test('what changes something is sent once', async () => {
  const call = vi.fn<() => Promise<unknown>>(silence);
  const sent = new MutationObserver(queryClient, { mutationFn: call }).mutate().catch(() => 'failed');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await sent).toBe('failed');
  expect(call).toHaveBeenCalledTimes(1);
});

test('what is on the screen is asked again when the connection returns, whatever the browser said of it', () => {
  const { queries, mutations } = queryClient.getDefaultOptions();
  expect(queries).toMatchObject({ networkMode: 'always', refetchOnReconnect: true });
  expect(mutations).toMatchObject({ networkMode: 'always' });
});

test('the account is not asked for again when the window gets the focus', () => {
  expect(queryClient.defaultQueryOptions(accountQuery).refetchOnWindowFocus).toBe(false);
});

test('a change that hears of the end of the session drops what was known, and has nothing else to say', async () => {
  queryClient.setQueryData(accountKey, { info: {} });
  queryClient.setQueryData(['kelp'], 'kelp');
  let over = false;
  void new MutationObserver(queryClient, { mutationFn: signInFirst }).mutate().finally(() => (over = true));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(queryClient.getQueryData(accountKey)).toBeNull();
  expect(queryClient.getQueryData(['kelp'])).toBeUndefined();
  expect(queryClient.getMutationCache().getAll()).toEqual([]);
  expect(over).toBe(false);
});

test('a wrong password is not the end of a session', async () => {
  queryClient.setQueryData(accountKey, { info: {} });
  const wrong = () => Promise.reject(new CallFailed('refused', 401, { code: 'INVALID_CREDENTIALS' }));
  const sent = new MutationObserver(queryClient, { mutationFn: wrong }).mutate().catch(() => 'told');
  expect(await sent).toBe('told');
  expect(queryClient.getQueryData(accountKey)).toEqual({ info: {} });
});
