import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tryAgainLater } from './try-again-later.ts';
import { openUploads } from './uploads.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Nobody answers, and it is noted when somebody was asked. */
function openSilence() {
  const asked: number[] = [];
  const began = Date.now();
  const uploads = openUploads({
    send() {
      asked.push(Date.now() - began);
      return Promise.reject(new Error());
    },
    now: () => 0,
    isOnline: () => true,
    onSuccess: () => {},
    onFailure: () => {},
    onCancel: () => {},
    onBatchEnd: () => {},
    endedSession: () => false,
    readError: () => ({ answered: false, reason: undefined }),
  });
  tryAgainLater(uploads);
  uploads.dispatch({ type: 'add', files: [new File(['a'], 'a')] });
  uploads.dispatch({ type: 'start' });
  return { asked, uploads };
}

test('a silent server is asked again by itself, ever more rarely, and at least twice a minute', async () => {
  const { asked } = openSilence();
  await vi.advanceTimersByTimeAsync(92_000);
  expect(asked).toEqual([0, 1000, 3000, 7000, 15_000, 31_000, 61_000, 91_000]);
});

test('whoever clears the queue has nobody asked any more', async () => {
  const { asked, uploads } = openSilence();
  await vi.advanceTimersByTimeAsync(0);
  uploads.dispatch({ type: 'clear' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([0]);
  expect(vi.getTimerCount()).toBe(0);
});
