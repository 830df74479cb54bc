import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { MutationObserver, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountQuery } from '../account/account.ts';
import { accountKey } from '../account/account-cache.ts';
import { afterFailure, queryClient } from './query-client.ts';
import { isNoticed } from '../session/session-end.ts';

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

test('a query without a response is sent three more times, with growing waits', async () => {
  const { call, leave } = ask(silence);
  const calls: number[] = [];
  for (const wait of [0, 999, 1, 1999, 1, 3999, 1, 60_000]) {
    await vi.advanceTimersByTimeAsync(wait);
    calls.push(call.mock.calls.length);
  }
  expect(calls).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  leave();
});

test('a mutation that finds the session ended clears the cached data, and its failure is noticed', async () => {
  queryClient.setQueryData(accountKey, { info: { email: 'ada@example.com' } });
  queryClient.setQueryData(['kelp'], 'kelp');
  const sent = new MutationObserver(queryClient, { mutationFn: signInFirst }).mutate();
  expect(isNoticed(await sent.catch((error: unknown) => error))).toBe(true);
  expect(queryClient.getQueryData(accountKey)).toBeNull();
  expect(queryClient.getQueryData(['kelp'])).toBeUndefined();
});

test('the passwords and keys of earlier mutations are dropped with the account', async () => {
  queryClient.setQueryData(accountKey, { info: { email: 'ada@example.com' } });
  const change = (password: string) => Promise.resolve(`key for ${password}`);
  await new MutationObserver(queryClient, { mutationFn: change }).mutate('Correct-Horse-7');
  await new MutationObserver(queryClient, { mutationFn: signInFirst }).mutate().catch(() => {});
  expect(
    JSON.stringify(
      queryClient
        .getMutationCache()
        .getAll()
        .map(({ state }) => state),
    ),
  ).not.toContain('Correct');
});

test('queued mutations continue after one that finds the session ended', async () => {
  queryClient.setQueryData(accountKey, { info: { email: 'ada@example.com' } });
  const scope = { id: 'line' };
  const first = new MutationObserver(queryClient, { mutationFn: signInFirst, scope }).mutate();
  const second = new MutationObserver(queryClient, { mutationFn: () => Promise.resolve('sent'), scope }).mutate();
  await expect(first).rejects.toThrow(CallFailed);
  expect(await second).toBe('sent');
});

test('a wrong password does not end the session', async () => {
  queryClient.setQueryData(accountKey, { info: { email: 'ada@example.com' } });
  const wrong = () => Promise.reject(new CallFailed('refused', 401, { code: 'INVALID_CREDENTIALS' }));
  const sent = new MutationObserver(queryClient, { mutationFn: wrong }).mutate().catch(() => 'told');
  expect(await sent).toBe('told');
  expect(queryClient.getQueryData(accountKey)).toEqual({ info: { email: 'ada@example.com' } });
});

test('a visitor without a session sends no request, unless the check of the session failed', () => {
  const asks = (updatedAt: number) => {
    queryClient.setQueryData(accountKey, null, { updatedAt });
    return new QueryObserver(queryClient, accountQuery).getCurrentResult().isStale;
  };
  expect(asks(Date.now() - 3_600_000)).toBe(false);
  expect(asks(afterFailure)).toBe(true);
});
