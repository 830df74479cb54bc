import { expect, test } from 'vitest';
import { emptyQueue, type Queue, type QueueEvent, reduceQueue } from './queue.ts';
import { hasMessage, outcomeMessage, waitingMessage } from './tray-message.ts';

const run = (queue: Queue, ...events: QueueEvent[]) => events.reduce(reduceQueue, queue);
const add = (...names: string[]): QueueEvent => ({ type: 'add', files: names.map((name) => new File(['x'], name)) });
const begin = (id: number): QueueEvent => ({ type: 'begin', id, at: 0 });
const start: QueueEvent = { type: 'start' };

const ended = run(
  emptyQueue,
  add('a', 'b', 'c'),
  start,
  begin(1),
  { type: 'succeed', at: 0, id: 1, url: 'https://files.example.com/file/1' },
  begin(2),
  { type: 'fail', id: 2, error: 'no' },
  begin(3),
  { type: 'cancel', id: 3 },
);

test('waiting files are announced until the message is dismissed', () => {
  const waiting = run(emptyQueue, add('a', 'b'));
  expect(waitingMessage(waiting)).toBe('2 files waiting');
  const quiet = run(waiting, { type: 'dismiss' });
  expect(hasMessage(quiet)).toBe(false);
  expect(waitingMessage(run(quiet, add('c')))).toBe('3 files waiting');
});

test('the message at the end of a batch counts the outcomes of its files', () => {
  expect(outcomeMessage(ended)).toBe('1 uploaded, 1 failed, 1 canceled');
  expect(waitingMessage(ended)).toBeUndefined();
});

test('a dismissed outcome is not announced again, but later files are', () => {
  const seen = run(ended, { type: 'see-outcome' });
  expect(hasMessage(seen)).toBe(false);
  const later = run(seen, add('d'));
  expect(outcomeMessage(later)).toBeUndefined();
  expect(waitingMessage(later)).toBe('1 file waiting');
});
