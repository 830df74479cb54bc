import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { expect, test } from 'vitest';
import { retryRateLimited } from './retry-rate-limited.ts';

const { signal } = new AbortController();
const tooMany = new CallFailed('refused', 429, { serverMessage: 'Slow down.', retryAfterSeconds: 3 });

function failing(times: number, error: Error) {
  const pauses: number[] = [];
  const holds: boolean[] = [];
  let calls = 0;
  const call = async () => {
    if (++calls <= times) throw error;
    return 'link';
  };
  const answer = retryRateLimited(
    call,
    { signal, onHold: (held) => holds.push(held) },
    async (ms) => void pauses.push(ms),
  );
  return { answer, pauses, holds };
}

test('a rate-limited call is sent again after the requested wait', async () => {
  const { answer, pauses, holds } = failing(2, tooMany);
  expect(await answer).toBe('link');
  expect(pauses).toEqual([3000, 3000]);
  expect(holds).toEqual([true, false, true, false]);
});

test('a call is given up after five waits', async () => {
  const { answer, pauses } = failing(6, tooMany);
  await expect(answer).rejects.toBe(tooMany);
  expect(pauses).toHaveLength(5);
});

test('an abort ends the wait', async () => {
  const controller = new AbortController();
  const waiting = retryRateLimited(() => Promise.reject(tooMany), { signal: controller.signal, onHold: () => {} });
  await Promise.resolve();
  setTimeout(() => controller.abort());
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
