import { expect, test } from 'vitest';
import { createUploadSlots } from './slots.ts';

test('an account runs four uploads at a time, and the next as soon as one has ended', async () => {
  const runUpload = createUploadSlots();
  const ending = Promise.withResolvers<void>();
  const failing = Promise.withResolvers<void>();
  const running = [failing, ending, ending, ending].map(({ promise }) => runUpload('ann', () => promise));
  const next = () => runUpload('ann', async () => 'stored');
  await expect(next()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(await runUpload('bob', async () => 'stored')).toBe('stored');
  failing.reject(new Error('aborted'));
  await expect(running[0]).rejects.toThrow('aborted');
  expect(await next()).toBe('stored');
  ending.resolve();
});
