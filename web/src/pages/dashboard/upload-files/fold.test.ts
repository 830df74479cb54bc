import { expect, test } from 'vitest';
import { foldedCount, unfoldedIds } from './fold.ts';
import { emptyQueue, type QueueEvent, reduceQueue } from './queue.ts';

const files = (count: number) => Array.from({ length: count }, (_, at) => new File(['x'], `${at}.txt`));
const queueOf = (count: number, events: readonly QueueEvent[]) =>
  [{ type: 'add', files: files(count) } as const, { type: 'start' } as const, ...events].reduce(reduceQueue, {
    ...emptyQueue,
    owner: 'ada@example.com',
  });
const begin = (id: number): QueueEvent => ({ type: 'begin', id, at: 0 });
const succeed = (id: number): QueueEvent => ({ type: 'succeed', id, at: 0, url: 'u' });
const fail = (id: number): QueueEvent => ({ type: 'fail', id, error: 'no' });
const done = (ids: readonly number[]) => ids.flatMap((id) => [begin(id), succeed(id)]);

test('of a long batch the stored files are folded by fives, and failed ones never', () => {
  const queue = queueOf(21, [...done([1, 2]), begin(3), fail(3), ...done([4, 5, 6, 7]), begin(8)]);
  expect(foldedCount(queue)).toBe(5);
  expect(unfoldedIds(queue.items, 5).slice(0, 4)).toEqual([3, 7, 8, 9]);
});

test('all stored files are folded at the end, and none of a short batch', () => {
  const all = Array.from({ length: 21 }, (_, at) => at + 1);
  expect(foldedCount(queueOf(21, done(all)))).toBe(21);
  expect(foldedCount(queueOf(20, done(all.slice(0, 20))))).toBe(0);
});
