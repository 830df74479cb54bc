import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../engines/database/database.ts';
import { createAccountTurns, pauseAfterRead } from './account-turns.ts';

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

test('after long work the next of the account pauses, and other accounts do not', async () => {
  const inTurn = createAccountTurns(16, (workedMs) => (workedMs > 40 ? 100 : 0));
  const started: Record<string, number> = {};
  const begin = (name: string) => async () => void (started[name] = performance.now());
  const long = inTurn('ada', () => setTimeout(50));
  const next = inTurn('ada', begin('next'));
  await long;
  const endedAt = performance.now();
  await inTurn('ben', begin('neighbor'));
  expect(started).toHaveProperty('neighbor');
  expect(started).not.toHaveProperty('next');
  await next;
  expect((started['next'] ?? 0) - endedAt).toBeGreaterThan(90);
  await inTurn('ada', begin('short'));
  await inTurn('ada', begin('at once'));
  expect((started['at once'] ?? 0) - (started['short'] ?? 0)).toBeLessThan(90);
});

test('a read pauses for twice its time, a second at most, and an ordinary one not at all', () => {
  expect([10, 50, 51, 300, 500, 30_000].map(pauseAfterRead)).toEqual([0, 0, 102, 600, 1_000, 1_000]);
});
