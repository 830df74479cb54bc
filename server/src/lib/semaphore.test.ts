import { expect, test } from 'vitest';
import { createSemaphore, QueueFull } from './semaphore.ts';

test('two tasks run at once, and the others wait, also behind a failing task', async () => {
  const semaphore = createSemaphore(2);
  const started: number[] = [];
  const finish: ((error?: Error) => void)[] = [];
  const work = [0, 1, 2, 3].map((at) =>
    semaphore(() => {
      started.push(at);
      return new Promise<number>((resolve, reject) => (finish[at] = (error) => (error ? reject(error) : resolve(at))));
    }),
  );
  expect(started).toEqual([0, 1]);
  finish[1]?.(new Error('failed'));
  await expect(work[1]).rejects.toThrow('failed');
  expect(started).toEqual([0, 1, 2]);
  finish[0]?.();
  expect(await work[0]).toBe(0);
  expect(started).toEqual([0, 1, 2, 3]);
  for (const end of finish) end();
  expect(await Promise.all([work[2], work[3]])).toEqual([2, 3]);
});

test('a full queue refuses a task at once, and has room again when one has left it', async () => {
  const semaphore = createSemaphore(1, 1);
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const first = semaphore(() => finished);
  const second = semaphore(async () => 'second');
  await expect(semaphore(async () => 'third')).rejects.toThrow(QueueFull);
  finish();
  expect([await first, await second]).toEqual([undefined, 'second']);
  expect(await semaphore(async () => 'fourth')).toBe('fourth');
});

test('an aborted task leaves the queue and does not run', async () => {
  const semaphore = createSemaphore(1, 1);
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const first = semaphore(() => finished);
  const gone = new AbortController();
  const ran: string[] = [];
  const aborted = semaphore(async () => void ran.push('aborted'), gone.signal);
  gone.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  const next = semaphore(async () => void ran.push('next'));
  finish();
  await Promise.all([first, next]);
  await expect(semaphore(async () => void ran.push('late'), gone.signal)).rejects.toThrow('gone');
  expect(ran).toEqual(['next']);
});
