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
}

export interface Queue {
  readonly items: readonly QueueItem[];
  readonly running: boolean;
  readonly online: boolean;
  readonly batch: number;
  readonly nextId: number;
}

export type QueueEvent =
  | { readonly type: 'add'; readonly files: readonly File[] }
  | { readonly type: 'start' | 'retry-all' | 'clear' }
  | { readonly type: 'begin'; readonly id: number; readonly at: number }
  | { readonly type: 'progress'; readonly id: number; readonly fraction: number; readonly at: number }
  | { readonly type: 'succeed'; readonly id: number; readonly url: string }
  | { readonly type: 'fail'; readonly id: number; readonly error: string }
  | { readonly type: 'cancel' | 'retry' | 'remove'; readonly id: number }
  | { readonly type: 'connection'; readonly online: boolean };

export const emptyQueue: Queue = { items: [], running: false, online: true, batch: 0, nextId: 1 };

export function reduceQueue(queue: Queue, event: QueueEvent): Queue {
  const next = apply(queue, event);
  // The batch is over when nothing of it is left to do; files added later wait for the button again.
  return next.running && !next.items.some(isOpen) ? { ...next, running: false } : next;
}

function apply(queue: Queue, event: QueueEvent): Queue {
  switch (event.type) {
    case 'add':
      return add(queue, event.files);
    case 'start':
      return start(queue);
    case 'begin':
      return change(queue, event.id, 'pending', { status: 'uploading', measuredAt: event.at, ...unsent });
    case 'progress':
      return changeWith(queue, event.id, 'uploading', (item) => measure(item, event.fraction, event.at));
    case 'succeed':
      return change(queue, event.id, 'uploading', { status: 'success', progress: 1, url: event.url });
    case 'fail':
      return change(queue, event.id, 'uploading', { status: 'error', error: event.error });
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
    default:
      return connection(queue, event.online);
  }
}

const unsent = { progress: 0, speed: undefined, url: '', error: '' } as const;

function add(queue: Queue, files: readonly File[]): Queue {
  const batch = queue.running ? queue.batch : 0;
  const added = files.map((file, index) => ({
    id: queue.nextId + index,
    file,
    status: 'pending' as const,
    batch,
    measuredAt: 0,
    ...unsent,
  }));
  return { ...queue, items: [...queue.items, ...added], nextId: queue.nextId + files.length };
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
    canRetry(item) && wanted(item) ? { ...item, status: 'pending', batch, ...unsent } : item;
  return start({ ...queue, items: queue.items.map(again) });
}

/** Without a connection the file on its way goes back to the head of the line, and the line waits. */
function connection(queue: Queue, online: boolean): Queue {
  if (online) return { ...queue, online };
  const back = (item: QueueItem): QueueItem =>
    item.status === 'uploading' ? { ...item, status: 'pending', ...unsent } : item;
  return { ...queue, online, items: queue.items.map(back) };
}

const change = (queue: Queue, id: number, from: UploadStatus, facts: Partial<QueueItem>): Queue =>
  changeWith(queue, id, from, (item) => ({ ...item, ...facts }));

/** Only from the status that the event belongs to: what arrives late changes nothing. */
function changeWith(queue: Queue, id: number, from: UploadStatus, next: (item: QueueItem) => QueueItem): Queue {
  const index = queue.items.findIndex((item) => item.id === id && item.status === from);
  const item = queue.items[index];
  if (!item) return queue;
  const changed = next(item);
  return changed === item ? queue : { ...queue, items: queue.items.with(index, changed) };
}

const isOpen = (item: QueueItem): boolean => item.status === 'pending' || item.status === 'uploading';
export const canRetry = (item: QueueItem): boolean => item.status === 'error' || item.status === 'canceled';

/** 'Upload Files' is disabled when nothing is pending or an upload is running (spec section 2). */
export const canStart = (queue: Queue): boolean =>
  !queue.running && queue.items.some((item) => item.status === 'pending');
