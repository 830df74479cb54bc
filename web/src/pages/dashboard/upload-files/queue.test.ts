import { expect, test } from 'vitest';
import { isLastTry, mayBeStored } from './queue-item.ts';
import { canStart, emptyQueue as nobodysQueue, type Queue, type QueueEvent, reduceQueue } from './queue.ts';
import {
  batchPlace,
  batchTimeLeft,
  hasUnstored,
  itemOf,
  neighbors,
  nextItem,
  pauseOf,
  summaryOf,
  uploadingItem,
} from './selectors.ts';

const emptyQueue: Queue = { ...nobodysQueue, owner: 'ada@example.com' };
const named = (...names: string[]) => names.map((name) => new File(['x'.repeat(1000)], name));
const run = (queue: Queue, ...events: QueueEvent[]) => events.reduce(reduceQueue, queue);
const add = (...names: string[]): QueueEvent => ({ type: 'add', files: named(...names) });
const begin = (id: number, at = 0): QueueEvent => ({ type: 'begin', id, at });
const succeed = (id: number, at = 0): QueueEvent => ({
  type: 'succeed',
  id,
  at,
  url: `https://files.example.com/file/${id}`,
});
const progress = (id: number, fraction: number, at: number): QueueEvent => ({ type: 'progress', id, fraction, at });
const start: QueueEvent = { type: 'start' };
const silence: QueueEvent = { type: 'wait', id: 1, trouble: 'no-response', lost: false, at: 0 };
const busy: QueueEvent = { type: 'wait', id: 1, trouble: 'busy', lost: false, retryAfterSeconds: 30, at: 1100 };
const item = (queue: Queue, id: number) => {
  const found = queue.items.find((one) => one.id === id);
  if (!found) throw new Error(`no item ${id}`);
  return found;
};
const statuses = (queue: Queue) => queue.items.map(({ status }) => status);

test('added files are pending in order until the start', () => {
  const queue = run(emptyQueue, add('a', 'b'), add('c'));
  expect(queue.items.map(({ id, file }) => [id, file.name])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ]);
  expect(statuses(queue)).toEqual(['pending', 'pending', 'pending']);
  expect(nextItem(queue)).toBeUndefined();
  expect(canStart(queue)).toBe(true);
});

test('the queue cannot start without pending files or while a batch runs', () => {
  expect(canStart(emptyQueue)).toBe(false);
  const running = run(emptyQueue, add('a', 'b'), start);
  expect(canStart(running)).toBe(false);
  expect(canStart(run(running, begin(1), succeed(1)))).toBe(false);
  expect(canStart(run(running, begin(1), succeed(1), begin(2), succeed(2)))).toBe(false);
  expect(run(emptyQueue, start)).toBe(emptyQueue);
});

test('events after the end of an upload change nothing', () => {
  const queue = run(emptyQueue, add('a', 'b'), start, begin(1), { type: 'cancel', id: 1 });
  expect(
    run(queue, progress(1, 0.5, 999), succeed(1), { type: 'fail', id: 1, error: 'late' }, { type: 'cancel', id: 2 }),
  ).toBe(queue);
});

test('a retry starts automatically and clears the failure', () => {
  const failed = run(emptyQueue, add('a', 'b'), start, begin(1), { type: 'fail', id: 1, error: 'no' }, begin(2), {
    type: 'cancel',
    id: 2,
  });
  const one = run(failed, { type: 'retry', id: 2 });
  expect(statuses(one)).toEqual(['error', 'pending']);
  expect(nextItem(one)?.id).toBe(2);
  expect(batchPlace(one)).toMatchObject({ position: 1, total: 1 });
  const all = run(failed, { type: 'retry-all' });
  expect(statuses(all)).toEqual(['pending', 'pending']);
  expect(item(all, 1)).toMatchObject({ error: '', progress: 0 });
});

test('the progress of a batch is measured in bytes', () => {
  const queue = run(emptyQueue, add('a', 'b'), start, begin(1), succeed(1), begin(2), progress(2, 0.5, 1000));
  expect(batchPlace(queue)?.progress).toBeCloseTo(0.75);
  const empty = run(
    emptyQueue,
    { type: 'add', files: [new File([], 'e'), new File([], 'f')] },
    start,
    begin(1),
    succeed(1),
  );
  expect(batchPlace(empty)?.progress).toBeCloseTo(0.5);
});

test('the pace of a batch is measured once a second, over all its files, until it pauses', () => {
  const paceOf = (queue: Queue) => queue.pace?.speed;
  const begun = run(emptyQueue, add('a', 'b', 'c'), start, begin(1), succeed(1, 400), begin(2, 400));
  expect(paceOf(begun)).toBeUndefined();
  const measured = run(begun, progress(2, 0.5, 1000));
  expect(paceOf(measured)).toBe(1500);
  expect(batchTimeLeft(measured)).toBe('1 s left');
  // Smoothed: 500 bytes in the second after it.
  expect(paceOf(run(measured, succeed(2, 2000)))).toBe(1300);
  expect(paceOf(run(measured, { type: 'connection', online: false }))).toBeUndefined();
});

test('what was deleted for the files of a batch is summed up', () => {
  const evicted = (names: string[]) => ({ total: names.length, size: 10, names });
  const done = (id: number, names: string[]): QueueEvent => ({
    ...succeed(id),
    type: 'succeed',
    id,
    at: 0,
    url: 'u',
    evicted: evicted(names),
  });
  const queue = run(
    emptyQueue,
    add('a', 'b', 'c'),
    start,
    begin(1),
    done(1, ['x']),
    begin(2),
    done(2, ['y', 'z']),
    begin(3),
    succeed(3),
  );
  expect(summaryOf(queue).evicted).toEqual({ total: 3, size: 20, names: ['x', 'y', 'z'] });
  expect(summaryOf(run(queue, add('d'), start, begin(4), succeed(4))).evicted).toBeUndefined();
});

test('a file that is refused whenever it is sent cannot be retried', () => {
  const queue = run(emptyQueue, add('a', 'b'), start, begin(1), { type: 'fail', id: 1, error: 'no', refused: true });
  const all = run(
    queue,
    begin(2),
    { type: 'fail', id: 2, error: 'no' },
    { type: 'retry', id: 1 },
    { type: 'retry-all' },
  );
  expect(statuses(all)).toEqual(['error', 'pending']);
  expect(summaryOf(queue).canRetry).toBe(0);
});

test('a failed or canceled file counts neither as sent nor as pending', () => {
  const failed = run(emptyQueue, add('a', 'b', 'c'), start, begin(1), { type: 'fail', id: 1, error: 'no' }, begin(2), {
    type: 'cancel',
    id: 2,
  });
  expect(batchPlace(failed)).toMatchObject({ position: 3, total: 3, progress: 0 });
  expect(batchPlace(run(failed, begin(3), progress(3, 0.5, 1000)))?.progress).toBeCloseTo(0.5);
});

test('a server that limits uploads makes the batch wait, and the next attempt starts at zero', () => {
  const sent = run(emptyQueue, add('a', 'b'), start, begin(1, 0), progress(1, 1, 1000));
  const waiting = run(sent, busy);
  expect(item(waiting, 1)).toMatchObject({ status: 'pending', progress: 0, speed: undefined });
  expect([pauseOf(waiting), waiting.retryAfterSeconds, waiting.pausedAt]).toEqual(['busy', 30, 1100]);
  const again = run(waiting, { type: 'try-again' }, begin(1, 9000));
  expect(item(run(again, progress(1, 0.5, 9500)), 1)).toMatchObject({ progress: 0.5, speed: 1000 });
});

test('without a response the batch waits until an attempt makes progress', () => {
  const silent = run(emptyQueue, add('a', 'b'), start, begin(1), silence);
  expect(statuses(silent)).toEqual(['pending', 'pending']);
  expect([pauseOf(silent), silent.running, nextItem(silent)]).toEqual(['no-response', true, undefined]);
  const again = run(silent, { type: 'try-again' });
  expect(nextItem(again)?.id).toBe(1);
  const trying = run(again, begin(1, 0));
  expect(pauseOf(trying)).toBe('no-response');
  expect(pauseOf(run(trying, progress(1, 0.5, 1000)))).toBeUndefined();
  expect(run(trying, succeed(1))).toMatchObject({ failedTries: 0, resting: false });
  expect(run(trying, silence)).toMatchObject({ failedTries: 2, resting: true });
});

test('an unavailable server makes the batch wait as long as requested', () => {
  const away = run(emptyQueue, add('a'), start, begin(1), {
    type: 'wait',
    id: 1,
    trouble: 'away',
    lost: false,
    retryAfterSeconds: 120,
    at: 0,
  });
  expect(statuses(away)).toEqual(['pending']);
  expect([pauseOf(away), away.resting, away.retryAfterSeconds]).toEqual(['away', true, 120]);
  expect(run(away, { type: 'try-again' }, begin(1), succeed(1))).toMatchObject({
    trouble: undefined,
    retryAfterSeconds: undefined,
  });
});

test('a file without progress is stalled until it progresses again', () => {
  const moving = run(emptyQueue, add('a'), start, begin(1, 0), progress(1, 0.5, 1000));
  const stalled = run(moving, { type: 'stall', id: 1 });
  expect(pauseOf(stalled)).toBe('stalled');
  // Some browsers report the same progress repeatedly.
  expect(run(stalled, progress(1, 0.5, 2000))).toBe(stalled);
  expect(pauseOf(run(stalled, progress(1, 0.6, 20_000)))).toBeUndefined();
  expect(item(run(stalled, silence, begin(1)), 1).stalled).toBe(false);
});

const again: QueueEvent[] = [{ type: 'try-again' }, begin(1, 0), progress(1, 0.9, 1000)];

test.each<[string, QueueEvent[], RegExp]>([
  ['was sent in full', [progress(1, 1, 1000)], /may be stored/],
  ['was cut', [progress(1, 0.9, 1000)], /^$/],
  ['lost its response before it was cut', [progress(1, 1, 1000), silence, ...again], /may be stored/],
  [
    'went offline after it was sent in full',
    [progress(1, 1, 1000), { type: 'connection', online: false }, { type: 'connection', online: true }, ...again],
    /may be stored/,
  ],
  [
    'was canceled twice',
    [progress(1, 1, 1000), { type: 'cancel', id: 1 }, { type: 'retry', id: 1 }, ...again],
    /may be stored/,
  ],
  [
    'failed without a response after it was sent in full',
    [progress(1, 1, 1000), { type: 'fail', id: 1, error: 'no', unanswered: true }, { type: 'retry', id: 1 }, ...again],
    /may be stored/,
  ],
  ['was turned away by a busy server before it was cut', [progress(1, 1, 1000), busy, ...again], /^$/],
  [
    'was refused before it was cut',
    [progress(1, 1, 1000), { type: 'fail', id: 1, error: 'Your account is full.' }, { type: 'retry', id: 1 }, ...again],
    /^$/,
  ],
])('the hint of a canceled file that %s says whether it may be stored', (_what, events, hint) => {
  const sent = run(emptyQueue, add('a'), start, begin(1, 0), ...events);
  expect(item(run(sent, { type: 'cancel', id: 1 }), 1).hint).toMatch(hint);
  const stopped = item(run(sent, { type: 'stop' }), 1);
  expect([stopped.status, mayBeStored(stopped)]).toEqual(['pending', hint.test('it may be stored')]);
});

test.each<[string, QueueEvent[], boolean]>([
  ['waits', [], true],
  ['is uploading', [start, begin(1)], true],
  ['failed', [start, begin(1), { type: 'fail', id: 1, error: 'Your account is full.' }], true],
  ['was canceled', [start, begin(1), { type: 'cancel', id: 1 }], true],
  ['is stored', [start, begin(1), succeed(1)], false],
])('whether a queue whose file %s holds a file that is not stored', (_what, events, unstored) => {
  expect(hasUnstored(summaryOf(run(emptyQueue, add('a'), ...events)))).toBe(unstored);
});

test('a file fails alone after three attempts without a response, or eight responses of a proxy', () => {
  const after = (lost: number) => ({ ...item(run(emptyQueue, add('a')), 1), lost: lost - 1 });
  expect([2, 3].map((attempt) => isLastTry(after(attempt), 'no-response'))).toEqual([false, true]);
  expect([7, 8].map((attempt) => isLastTry(after(attempt), 'away'))).toEqual([false, true]);
  expect(isLastTry(after(100), 'busy')).toBe(false);
});

test('no file is uploaded before the owner is known', () => {
  const queue = run(nobodysQueue, add('a'), start);
  expect(nextItem(queue)).toBeUndefined();
  expect(nextItem(run(queue, { type: 'sign-in', email: 'ada@example.com' }))?.id).toBe(1);
});

test('files of one account are removed when another signs in, and kept for the same account', () => {
  const uploading = run(emptyQueue, add('a', 'b'), start, begin(1));
  expect(run(uploading, { type: 'sign-in', email: 'ada@example.com' })).toBe(uploading);
  expect(run(uploading, { type: 'sign-in', email: 'bob@example.com' })).toMatchObject({
    owner: 'bob@example.com',
    items: [],
    ids: [],
    running: false,
  });
});

test('progress is updated at most 4 times a second', () => {
  const queue = run(emptyQueue, add('a'), start, begin(1, 0), progress(1, 0.1, 250));
  expect(item(queue, 1).progress).toBe(0.1);
  expect(run(queue, progress(1, 0.2, 300))).toBe(queue);
  expect(run(queue, progress(1, 0.2, 499))).toBe(queue);
  expect(item(run(queue, progress(1, 0.3, 500)), 1).progress).toBe(0.3);
});

test('the speed is smoothed: a new measurement has a weight of a fifth', () => {
  const first = run(emptyQueue, add('a'), start, begin(1, 0), progress(1, 0.1, 1000));
  expect(item(first, 1).speed).toBeCloseTo(100);
  const second = run(first, progress(1, 0.4, 2000));
  expect(item(second, 1).speed).toBeCloseTo(100 * 0.8 + 300 * 0.2);
});

test('going offline makes the current file pending, and going online resumes it', () => {
  const uploading = run(emptyQueue, add('a', 'b'), start, begin(1, 0), progress(1, 0.5, 1000));
  const offline = run(uploading, { type: 'connection', online: false });
  expect(item(offline, 1)).toMatchObject({ status: 'pending', progress: 0, speed: undefined });
  expect(offline.running).toBe(true);
  expect(nextItem(offline)).toBeUndefined();
  expect(batchPlace(offline)).toMatchObject({ position: 1, total: 2 });
  expect(nextItem(run(offline, { type: 'connection', online: true }))?.id).toBe(1);
});

test('an item is found by its id after others were removed', () => {
  const queue = run(emptyQueue, add('a', 'b', 'c', 'd', 'e'), { type: 'remove', id: 2 }, { type: 'remove', id: 4 });
  expect([1, 2, 3, 4, 5, 6].map((id) => itemOf(queue, id)?.file.name)).toEqual([
    'a',
    undefined,
    'c',
    undefined,
    'e',
    undefined,
  ]);
  expect(neighbors(queue, 3)).toEqual([5, 1]);
  expect(neighbors(queue, 5)).toEqual([3]);
});

test('a stopped batch keeps its files, and the next start includes them all', () => {
  const stopped = run(
    emptyQueue,
    add('a', 'b', 'c'),
    start,
    begin(1),
    succeed(1),
    begin(2, 0),
    progress(2, 0.5, 1000),
    {
      type: 'stop',
    },
  );
  expect(statuses(stopped)).toEqual(['success', 'pending', 'pending']);
  expect(item(stopped, 2)).toMatchObject({ progress: 0, speed: undefined });
  expect(stopped.running).toBe(false);
  expect(run(stopped, { type: 'stop' })).toBe(stopped);
  expect(batchPlace(run(stopped, start))).toMatchObject({ position: 1, total: 2 });
});

test('a pause keeps what has arrived of a large file, and ends with the batch', () => {
  const large = new File([], 'reef.zip');
  Object.defineProperty(large, 'size', { value: 70_000_000 });
  const resumed: QueueEvent = { type: 'resume', id: 1, fraction: 0.5, at: 0 };
  const paused = run(emptyQueue, { type: 'add', files: [large] }, start, begin(1), resumed, { type: 'pause' });
  expect(paused).toMatchObject({ running: true, paused: true, items: [{ status: 'pending', progress: 0.5 }] });
  expect(nextItem(paused)).toBeUndefined();
  expect(nextItem(reduceQueue(paused, { type: 'go-on' }))?.id).toBe(1);
  expect(reduceQueue(paused, { type: 'stop' })).toMatchObject({ running: false, paused: false });
});

test('a connection that breaks ten times fails no file of which each attempt brings more', () => {
  const large = new File([], 'reef.zip');
  Object.defineProperty(large, 'size', { value: 70_000_000 });
  const cut: QueueEvent = { type: 'wait', id: 1, trouble: 'no-response', lost: true, at: 0 };
  const tryAgain: QueueEvent = { type: 'try-again' };
  let queue = run(emptyQueue, { type: 'add', files: [large] }, start, begin(1));
  for (let at = 1; at <= 10; at += 1) {
    expect(isLastTry(item(queue, 1), 'no-response')).toBe(false);
    queue = run(queue, cut, tryAgain, begin(1), { type: 'resume', id: 1, fraction: at / 20, at: 0 });
    expect(queue.failedTries).toBe(0);
  }
  const same: QueueEvent = { type: 'resume', id: 1, fraction: 0.5, at: 0 };
  queue = run(queue, cut, tryAgain, begin(1), same, cut, tryAgain, begin(1), same);
  expect(isLastTry(item(queue, 1), 'no-response')).toBe(true);
});

test('while the server stores a small file the next one is sent, and no third', () => {
  const sent = run(emptyQueue, add('a', 'b', 'c'), start, begin(1), progress(1, 0.9, 1000));
  expect(nextItem(sent)).toBeUndefined();
  const stored = run(sent, progress(1, 1, 1100));
  expect(nextItem(stored)?.id).toBe(2);
  const both = run(stored, begin(2, 1100));
  expect(statuses(both)).toEqual(['uploading', 'uploading', 'pending']);
  expect([nextItem(both), nextItem(run(both, progress(2, 1, 1200)))]).toEqual([undefined, undefined]);
  expect([uploadingItem(both)?.id, batchPlace(both)?.position]).toEqual([2, 2]);
  expect(nextItem(run(both, succeed(1, 1200)))).toBeUndefined();
  const limited = run(stored, busy, { type: 'try-again' }, begin(1, 2000), progress(1, 1, 3000));
  expect(nextItem(limited)).toBeUndefined();
  expect(nextItem(run(both, progress(2, 1, 1200), succeed(2, 1300)))?.id).toBe(3);
});

test('while the server stores a larger file the next one waits', () => {
  const photo = new File(['x'.repeat(1_000_001)], 'photo.jpg');
  const sent = run(emptyQueue, { type: 'add', files: [photo, ...named('b')] }, start, begin(1), progress(1, 1, 1000));
  expect(nextItem(sent)).toBeUndefined();
});

test('a pause, a lost connection and a stop take back both files, and a setback only its own', () => {
  const both = run(emptyQueue, add('a', 'b', 'c'), start, begin(1), progress(1, 1, 1000), begin(2, 1000));
  const ends: readonly QueueEvent[] = [{ type: 'pause' }, { type: 'connection', online: false }, { type: 'stop' }];
  for (const event of ends) {
    const taken = run(both, event);
    expect(statuses(taken)).toEqual(['pending', 'pending', 'pending']);
    expect(taken.items.map(mayBeStored)).toEqual([true, false, false]);
  }
  const waiting = run(both, { type: 'wait', trouble: 'away', id: 1, lost: true, at: 1200 });
  expect(statuses(waiting)).toEqual(['pending', 'uploading', 'pending']);
  expect(waiting.items.map(({ lost }) => lost)).toEqual([1, 0, 0]);
  const twice = run(waiting, { type: 'wait', trouble: 'away', id: 2, lost: true, at: 1300 });
  expect(twice).toMatchObject({ failedTries: 1, resting: true });
  expect(statuses(run(both, { type: 'cancel', id: 1 }))).toEqual(['canceled', 'uploading', 'pending']);
  expect(statuses(run(both, { type: 'fail', id: 1, error: 'no' }))).toEqual(['error', 'uploading', 'pending']);
});
