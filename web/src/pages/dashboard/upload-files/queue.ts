/** The upload queue as a pure reducer: what happened → the queue after it (spec sections 3 and 4). */
import { measure } from './measure.ts';

export type UploadStatus = 'pending' | 'uploading' | 'success' | 'error' | 'canceled';

export interface QueueItem {
  readonly id: number;
  readonly file: File;
  readonly status: UploadStatus;
  /** Which press of 'Upload Files' it went up with; 0 while it waits for one. */
  readonly batch: number;
  /** How much of it is sent, from 0 to 1. */
  readonly progress: number;
  /** Smoothed bytes per second, once there are two moments to compare. */
  readonly speed: number | undefined;
  /** When progress and speed were last renewed. */
  readonly measuredAt: number;
  readonly url: string;
  readonly error: string;
  /** What to do about the error, where its own words do not say. */
  readonly hint: string;
  /** The server asked for a moment: nothing of it moves until the next try. */
  readonly held: boolean;
  /** How many times it was on its way when the connection broke. */
  readonly lost: number;
}

export interface Queue {
  /** In the order of their ids. */
  readonly items: readonly QueueItem[];
  /** The ids of the items: the same array until a file comes or goes, whatever becomes of those that are there. */
  readonly ids: readonly number[];
  readonly running: boolean;
  readonly online: boolean;
  /** How many tries in a row nothing came back from. */
  readonly unanswered: number;
  /** Waits a while after such a try. */
  readonly resting: boolean;
  readonly batch: number;
  /** The batch whose end is no news any more. */
  readonly toldBatch: number;
  /** The person does not want to hear of the files that wait. */
  readonly quiet: boolean;
  readonly nextId: number;
}

export type QueueEvent =
  | { readonly type: 'add'; readonly files: readonly File[] }
  | { readonly type: 'start' | 'stop' | 'retry-all' | 'clear' | 'no-response' | 'try-again' }
  | { readonly type: 'see-outcome' | 'dismiss' }
  | { readonly type: 'begin'; readonly id: number; readonly at: number }
  | { readonly type: 'progress'; readonly id: number; readonly fraction: number; readonly at: number }
  | { readonly type: 'hold'; readonly id: number; readonly held: boolean; readonly at: number }
  | { readonly type: 'succeed'; readonly id: number; readonly url: string }
  | { readonly type: 'fail'; readonly id: number; readonly error: string; readonly hint?: string | undefined }
  | { readonly type: 'cancel' | 'retry' | 'remove'; readonly id: number }
  | { readonly type: 'connection'; readonly online: boolean };

export const emptyQueue: Queue = {
  items: [],
  ids: [],
  running: false,
  online: true,
  unanswered: 0,
  resting: false,
  batch: 0,
  toldBatch: 0,
  quiet: false,
  nextId: 1,
};

export function reduceQueue(queue: Queue, event: QueueEvent): Queue {
  const next = apply(queue, event);
  // No event both adds and removes: files came or went exactly when their number changed.
  const ids = next.items.length === queue.items.length ? queue.ids : next.items.map(({ id }) => id);
  // The batch is over when nothing of it is left to do; files added later wait for the button again.
  const running = next.running && next.items.some(isOpen);
  if (next.ids === ids && next.running === running) return next;
  return running ? { ...next, ids, running } : { ...next, ids, running, ...answered };
}

function apply(queue: Queue, event: QueueEvent): Queue {
  switch (event.type) {
    case 'add':
      return add(queue, event.files);
    case 'start':
      return start(queue);
    case 'stop':
      return stop(queue);
    case 'begin':
      return change(queue, event.id, 'pending', { status: 'uploading', measuredAt: event.at, ...unsent });
    case 'progress':
      return changeWith(queue, event.id, 'uploading', (item) => measure(item, event.fraction, event.at));
    case 'hold':
      return change(answeredIn(queue), event.id, 'uploading', { ...unsent, held: event.held, measuredAt: event.at });
    case 'succeed':
      return change(answeredIn(queue), event.id, 'uploading', { status: 'success', progress: 1, url: event.url });
    case 'fail':
      return change(answeredIn(queue), event.id, 'uploading', {
        status: 'error',
        error: event.error,
        hint: event.hint ?? '',
      });
    case 'cancel':
      return change(queue, event.id, 'uploading', { status: 'canceled', error: 'Upload canceled' });
    case 'retry':
      return retry(queue, (item) => item.id === event.id);
    case 'retry-all':
      return retry(queue, () => true);
    case 'remove':
      return { ...queue, items: queue.items.filter((item) => item.id !== event.id) };
    case 'clear':
      return { ...queue, items: [] };
    case 'no-response':
      return noResponse(queue);
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

const unsent = { progress: 0, speed: undefined, url: '', error: '', hint: '', held: false } as const;
const answered = { unanswered: 0, resting: false } as const;
const answeredIn = (queue: Queue): Queue => (queue.unanswered === 0 ? queue : { ...queue, ...answered });

function add(queue: Queue, files: readonly File[]): Queue {
  const batch = queue.running ? queue.batch : 0;
  const added = files.map((file, index) => ({
    id: queue.nextId + index,
    file,
    status: 'pending' as const,
    batch,
    measuredAt: 0,
    lost: 0,
    ...unsent,
  }));
  return { ...queue, items: [...queue.items, ...added], quiet: false, nextId: queue.nextId + files.length };
}

function start(queue: Queue): Queue {
  if (!canStart(queue)) return queue;
  const batch = queue.batch + 1;
  const items = queue.items.map((item) => (item.status === 'pending' ? { ...item, batch } : item));
  return { ...queue, items, batch, running: true };
}

/** Asking for another try is asking for the upload itself: it joins the batch that runs, or starts one. */
function retry(queue: Queue, wanted: (item: QueueItem) => boolean): Queue {
  const batch = queue.running ? queue.batch : 0;
  const again = (item: QueueItem): QueueItem =>
    canRetry(item) && wanted(item) ? { ...item, status: 'pending', batch, lost: 0, ...unsent } : item;
  return start({ ...queue, items: queue.items.map(again) });
}

/** Without a connection the file on its way goes back to the head of the line, and the line waits. */
function connection(queue: Queue, online: boolean): Queue {
  const here = { ...queue, ...answered, online };
  return online ? here : { ...here, items: queue.items.map(takeBack) };
}

/** A server that is not there refuses every file at once: the line waits, as it does without a connection. */
function noResponse(queue: Queue): Queue {
  const items = queue.items.map((item) => takeBack(isMoving(item) ? { ...item, lost: item.lost + 1 } : item));
  return { ...queue, items, unanswered: queue.unanswered + 1, resting: true };
}

const tries = 3;

/** Something on the way breaks the connection because of this very file: the others need not wait for it. */
export const isLost = (item: QueueItem): boolean => isMoving(item) && item.lost + 1 >= tries;

/** Bytes of it have gone. */
export const isMoving = (item: QueueItem): boolean => item.status === 'uploading' && item.progress > 0;

/** The batch ends before its time. What was not sent stays, and waits for the button. */
function stop(queue: Queue): Queue {
  return queue.running
    ? { ...queue, ...answered, running: false, quiet: false, items: queue.items.map(takeBack) }
    : queue;
}

const takeBack = (item: QueueItem): QueueItem =>
  item.status === 'uploading' ? { ...item, status: 'pending', ...unsent } : item;

const change = (queue: Queue, id: number, from: UploadStatus, facts: Partial<QueueItem>): Queue =>
  changeWith(queue, id, from, (item) => ({ ...item, ...facts }));

/** Only from the status that the event belongs to: what arrives late changes nothing. */
function changeWith(queue: Queue, id: number, from: UploadStatus, next: (item: QueueItem) => QueueItem): Queue {
  const index = indexOf(queue, id);
  const item = queue.items[index];
  if (item?.status !== from) return queue;
  const changed = next(item);
  return changed === item ? queue : { ...queue, items: queue.items.with(index, changed) };
}

/** Where an item is in the list, or -1: ids only ever grow, so halves are enough to look at. */
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

const isOpen = (item: QueueItem): boolean => item.status === 'pending' || item.status === 'uploading';
export const canRetry = (item: QueueItem): boolean => item.status === 'error' || item.status === 'canceled';

/** 'Upload Files' is disabled when nothing is pending or an upload is running (spec section 2). */
export const canStart = (queue: Queue): boolean =>
  !queue.running && queue.items.some((item) => item.status === 'pending');
