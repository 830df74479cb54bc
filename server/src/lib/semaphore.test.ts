import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

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
