import { expect, test } from 'vitest';
import { createReadTurns } from './read-turns.ts';

test('the long reads of an account run one after the other, 16 wait, and others are refused', async () => {
  const inTurn = createReadTurns();
  const held = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const read = async () => {
    most = Math.max(most, (running += 1));
    await held.promise;
    running -= 1;
  };
  const ada = Array.from({ length: 20 }, () => inTurn('ada', read));
  for (const refused of ada.slice(17))
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  expect(await inTurn('ben', async () => 'at once')).toBe('at once');
  held.resolve();
  await Promise.all(ada.slice(0, 17));
  expect(most).toBe(1);
  expect(await inTurn('ada', async () => 'again')).toBe('again');
});
