import { expect, test } from 'vitest';
import { createListTurns } from './list-turns.ts';

test('the lists of an account run one after the other, 16 wait, and others are refused', async () => {
  const inTurn = createListTurns();
  const held = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const list = async () => {
    most = Math.max(most, (running += 1));
    await held.promise;
    running -= 1;
  };
  const ada = Array.from({ length: 20 }, () => inTurn('ada', list));
  for (const refused of ada.slice(17))
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  expect(await inTurn('ben', async () => 'at once')).toBe('at once');
  held.resolve();
  await Promise.all(ada.slice(0, 17));
  expect(most).toBe(1);
  expect(await inTurn('ada', async () => 'again')).toBe('again');
});
