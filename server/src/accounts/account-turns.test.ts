import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../engines/database/database.ts';
import { createAccountTurns } from './account-turns.ts';

test('the work of an account runs one after the other, 16 wait, and others are refused', async () => {
  const inTurn = createAccountTurns(16);
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

test('when the database is unavailable to one, those behind it are refused, and later ones run', async () => {
  const inTurn = createAccountTurns(16);
  const failing = Promise.withResolvers<void>();
  const ran: string[] = [];
  const first = inTurn('ada', () => failing.promise);
  const second = inTurn('ada', async () => ran.push('second'));
  const neighbor = inTurn('ben', async () => ran.push('neighbor'));
  failing.reject(new DatabaseUnavailable(new Error('a row is locked')));
  for (const refused of [first, second]) await expect(refused).rejects.toBeInstanceOf(DatabaseUnavailable);
  await neighbor;
  await inTurn('ada', async () => ran.push('later'));
  expect(ran).toEqual(['neighbor', 'later']);
});

test('a failure of another kind refuses nobody else', async () => {
  const inTurn = createAccountTurns(16);
  const failing = inTurn('ada', () => Promise.reject(new Error('a wrong name')));
  const next = inTurn('ada', async () => 'done');
  await expect(failing).rejects.toThrow('a wrong name');
  expect(await next).toBe('done');
});
