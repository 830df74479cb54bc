/** The upload queue as a pure reducer: returns the queue after an event. */
import type { Evicted } from '@holdfast/contract/src/activity.ts';
import {
  canRetry,
  cancel,
  fail,
  isOpen,
  mayBeStored,
  measure,
  newItem,
  type QueueItem,
  restart,
  sentOf,
  smooth,
  takeBack,
  unsent,
  type UploadFailure,
  type UploadStatus,
  type UploadTrouble,
} from './queue-item.ts';

export interface Queue {
  readonly owner: string | undefined;
  /** Sorted by id. */
  readonly items: readonly QueueItem[];
  /** Ids of the items. The array stays the same until files are added or removed, whatever changes in the items. */
  readonly ids: readonly number[];
  readonly running: boolean;
  readonly online: boolean;
  /** By hand. */
  readonly paused: boolean;
  readonly failedTries: number;
  readonly trouble: UploadTrouble | undefined;
  readonly resting: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** When the last attempt failed. */
  readonly pausedAt: number;
  readonly batch: number;
  readonly toldBatch: number;
  readonly quiet: boolean;
  readonly nextId: number;
  readonly pace: Pace | undefined;
}

/** How fast the bytes of the batch go, measured from `at` on. */
interface Pace {
  readonly at: number;
  readonly bytes: number;
  readonly speed: number | undefined;
}

export type QueueEvent =
  | { readonly type: 'add'; readonly files: readonly File[] }
  | { readonly type: 'sign-in'; readonly email: string }
  | { readonly type: 'start' | 'stop' | 'retry-all' | 'clear' | 'try-again' }
  | { readonly type: 'see-outcome' | 'dismiss' | 'pause' | 'go-on' }
  | { readonly type: 'begin'; readonly id: number; readonly at: number }
  | { readonly type: 'resume'; readonly id: number; readonly fraction: number; readonly at: number }
  | { readonly type: 'progress'; readonly id: number; readonly fraction: number; readonly at: number }
  | { readonly type: 'hold'; readonly id: number; readonly fraction: number }
  | {
      readonly type: 'succeed';
      readonly id: number;
      readonly at: number;
      readonly url: string;
      readonly evicted?: Evicted | undefined;
    }
  | ({ readonly type: 'fail'; readonly id: number } & UploadFailure)
  | ({ readonly type: 'wait'; readonly id: number; readonly at: number } & UploadPause)
  | { readonly type: 'stall' | 'cancel' | 'retry' | 'remove'; readonly id: number }
  | { readonly type: 'connection'; readonly online: boolean };

/** An attempt failed, and the file is retried later. `lost`: the server responds to other calls meanwhile. */
export interface UploadPause {
  readonly trouble: UploadTrouble;
  readonly lost: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

export const emptyQueue: Queue = {
  owner: undefined,
  items: [],
  ids: [],
  running: false,
  online: true,
  paused: false,
  failedTries: 0,
  trouble: undefined,
  resting: false,
  retryAfterSeconds: undefined,
  pausedAt: 0,
  batch: 0,
  toldBatch: 0,
  quiet: false,
  nextId: 1,
  pace: undefined,
};

export function reduceQueue(queue: Queue, event: QueueEvent): Queue {
  const next = withPace(queue, apply(queue, event), event);
  // An event either adds or removes files, so files changed exactly when their number did.
  const ids = next.items.length === queue.items.length ? queue.ids : next.items.map(({ id }) => id);
  // The batch is over when none of its files are left to upload; files added later wait for the button.
  const running = next.running && next.items.some(isOpen);
  if (next.ids === ids && next.running === running) return next;
  return running ? { ...next, ids, running } : { ...next, ids, running, paused: false, ...answered };
}

const paceEveryMs = 1000;

function withPace(before: Queue, queue: Queue, event: QueueEvent): Queue {
  if (queue === before) return queue;
  switch (event.type) {
    case 'begin':
    case 'progress':
    case 'succeed':
      return measurePace(queue, event.at);
    case 'add':
    case 'see-outcome':
    case 'dismiss':
    case 'fail':
      return queue;
    default:
      return queue.pace ? { ...queue, pace: undefined } : queue;
  }
}

function measurePace(queue: Queue, at: number): Queue {
  const { pace } = queue;
  if (pace && at - pace.at < paceEveryMs) return queue;
  const bytes = sentInBatch(queue);
  const reading = pace && (bytes - pace.bytes) / ((at - pace.at) / 1000);
  // A canceled file takes its bytes with it.
  const speed = reading === undefined || reading < 0 ? pace?.speed : smooth(pace?.speed, reading);
  return { ...queue, pace: { at, bytes, speed } };
}

const sentInBatch = ({ items, batch }: Queue): number =>
  items.reduce((sum, item) => sum + (item.batch === batch ? sentOf(item) * item.file.size : 0), 0);

function apply(queue: Queue, event: QueueEvent): Queue {
  switch (event.type) {
    case 'sign-in':
      return signIn(queue, event.email);
    case 'add':
      return add(queue, event.files);
    case 'start':
      return start(queue);
    case 'stop':
      return stop(queue);
    case 'begin':
      return changeWith(queue, event.id, 'pending', (item) => ({
        ...restart(item),
        status: 'uploading',
        measuredAt: event.at,
      }));
    case 'resume':
      return resume(queue, event);
    case 'progress':
      return changeWith(queue, event.id, 'uploading', (item) => measure(item, event.fraction, event.at));
    case 'hold':
      return change(queue, event.id, 'pending', {
        progress: event.fraction,
        sentInFull: event.fraction >= 1,
      });
    case 'stall':
      return change(queue, event.id, 'uploading', { stalled: true });
    case 'succeed':
      return change(answeredIn(queue), event.id, 'uploading', {
        status: 'success',
        progress: 1,
        url: event.url,
        evicted: event.evicted,
        sentInFull: false,
      });
    case 'fail':
      return changeWith(answeredIn(queue), event.id, 'uploading', (item) => fail(item, event));
    case 'cancel':
      return changeWith(queue, event.id, 'uploading', cancel);
    case 'retry':
      return retry(queue, (item) => item.id === event.id);
    case 'retry-all':
      return retry(queue, () => true);
    case 'remove':
      return { ...queue, items: queue.items.filter((item) => item.id !== event.id) };
    case 'clear':
      return { ...queue, items: [] };
    case 'wait':
      return wait(queue, event);
    case 'pause':
      return queue.running ? { ...queue, paused: true, items: queue.items.map(takeBack) } : queue;
    case 'go-on':
      return queue.paused ? { ...queue, ...answered, paused: false } : queue;
    case 'try-again':
      return queue.resting ? { ...queue, resting: false } : queue;
    case 'see-outcome':
      return queue.toldBatch === queue.batch ? queue : { ...queue, toldBatch: queue.batch };
    case 'dismiss':
      return { ...queue, toldBatch: queue.batch, quiet: true };
    default:
      return connection(queue, event.online);
  }
}

const answered = { failedTries: 0, trouble: undefined, resting: false, retryAfterSeconds: undefined } as const;
const answeredIn = (queue: Queue): Queue => (queue.failedTries === 0 ? queue : { ...queue, ...answered });

/** One user's files are never uploaded to another account, and another user never sees them. */
function signIn(queue: Queue, email: string): Queue {
  if (queue.owner === email) return queue;
  return queue.owner === undefined ? { ...queue, owner: email } : { ...stop(queue), owner: email, items: [] };
}

function add(queue: Queue, files: readonly File[]): Queue {
  const batch = queue.running ? queue.batch : 0;
  const added = files.map((file, index) => newItem(file, { id: queue.nextId + index, batch }));
  return { ...queue, items: [...queue.items, ...added], quiet: false, nextId: queue.nextId + files.length };
}

function start(queue: Queue): Queue {
  if (!canStart(queue)) return queue;
  const batch = queue.batch + 1;
  const items = queue.items.map((item) => (item.status === 'pending' ? { ...item, batch } : item));
  return { ...queue, items, batch, running: true };
}

/** A retry is also a request to upload: the file joins the running batch, or starts a new one. */
function retry(queue: Queue, wanted: (item: QueueItem) => boolean): Queue {
  const batch = queue.running ? queue.batch : 0;
  const again = (item: QueueItem): QueueItem =>
    canRetry(item) && wanted(item) ? { ...item, status: 'pending', batch, lost: 0, ...unsent } : item;
  return start({ ...queue, items: queue.items.map(again) });
}

/** Without a connection the running upload returns to the head of the queue, and the queue waits. */
function connection(queue: Queue, online: boolean): Queue {
  const here = { ...queue, ...answered, online };
  return online ? here : { ...here, items: queue.items.map(takeBack) };
}

/**
 * An unavailable server would fail every file at once, so the queue waits, as it does without a connection. Another file
 * that is on its way may still arrive.
 */
function wait(queue: Queue, event: Extract<QueueEvent, { type: 'wait' }>): Queue {
  const { id, trouble, lost, retryAfterSeconds, at } = event;
  const failedTries = queue.failedTries + (queue.resting ? 0 : 1);
  const pause = { failedTries, trouble, resting: true, retryAfterSeconds, pausedAt: at };
  return changeWith({ ...queue, ...pause }, id, 'uploading', (item) => {
    // A server that limits uploads has stored nothing.
    const sentInFull = trouble === 'busy' ? item.sentInFull : mayBeStored(item);
    return { ...takeBack(item), sentInFull, lost: item.lost + (lost ? 1 : 0) };
  });
}

/** An attempt that brought bytes on was no failed one, although its connection broke. */
function resume(queue: Queue, { id, fraction, at }: Extract<QueueEvent, { type: 'resume' }>): Queue {
  const gained = fraction > (queue.items[indexOf(queue, id)]?.arrived ?? 1);
  const facts = { progress: fraction, arrived: fraction, measuredAt: at, ...(gained && { lost: 0 }) };
  return change(gained ? answeredIn(queue) : queue, id, 'uploading', facts);
}

/** Ends the batch early. Files that were not sent stay, and wait for the button. */
function stop(queue: Queue): Queue {
  return queue.running
    ? { ...queue, ...answered, running: false, paused: false, quiet: false, items: queue.items.map(takeBack) }
    : queue;
}

const change = (queue: Queue, id: number, from: UploadStatus, facts: Partial<QueueItem>): Queue =>
  changeWith(queue, id, from, (item) => ({ ...item, ...facts }));

/** Changes an item only in the status that the event belongs to, so that late events have no effect. */
function changeWith(queue: Queue, id: number, from: UploadStatus, next: (item: QueueItem) => QueueItem): Queue {
  const index = indexOf(queue, id);
  const item = queue.items[index];
  if (item?.status !== from) return queue;
  const changed = next(item);
  return changed === item ? queue : { ...queue, items: queue.items.with(index, changed) };
}

/** Index of an item, or -1. Ids only ever increase, so a binary search finds it. */
export function indexOf({ items }: Queue, id: number): number {
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = items[middle]?.id ?? id;
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** 'Upload Files' is disabled if no file is pending or an upload is running. */
export const canStart = (queue: Queue): boolean =>
  !queue.running && queue.items.some((item) => item.status === 'pending');
