/** What the screens read from the queue. */
import { indexOf, isMoving, type Queue, type QueueItem } from './queue.ts';

/** The file to send now: one at a time, in order (spec section 4). */
export function nextItem(queue: Queue): QueueItem | undefined {
  if (!queue.running || !queue.online || queue.resting || uploadingItem(queue)) return undefined;
  return queue.items.find((item) => item.status === 'pending');
}

export const uploadingItem = (queue: Queue): QueueItem | undefined =>
  queue.items.find((item) => item.status === 'uploading');

export const itemOf = (queue: Queue, id: number): QueueItem | undefined => queue.items[indexOf(queue, id)];

export type Pause = 'offline' | 'no-response' | 'held';

/** Why nothing moves although it should. */
export function pauseOf(queue: Queue): Pause | undefined {
  if (!queue.online) return 'offline';
  const item = uploadingItem(queue);
  // It is said through the tries themselves, until one of them gets somewhere.
  if (queue.unanswered > 0 && !(item && isMoving(item))) return 'no-response';
  return item?.held ? 'held' : undefined;
}

export interface BatchPlace {
  readonly position: number;
  readonly total: number;
  /** How much is sent of the bytes that are still meant to be, from 0 to 1. */
  readonly progress: number;
}

/** Where the running batch is: '3 of 12'. */
export function batchPlace(queue: Queue): BatchPlace | undefined {
  if (!queue.running) return undefined;
  const batch = queue.items.filter((item) => item.batch === queue.batch);
  const waiting = batch.filter((item) => item.status === 'pending').length;
  // Between two files and while offline nothing is uploading: the next in line is the one to name.
  const position = batch.length - waiting + (uploadingItem(queue) ? 0 : 1);
  return {
    position: Math.min(position, batch.length),
    total: batch.length,
    progress: bytesSent(batch.filter(isMeant)),
  };
}

function bytesSent(batch: readonly QueueItem[]): number {
  // One more byte each, so that a batch of empty files gets somewhere too.
  const weight = (item: QueueItem) => item.file.size + 1;
  const all = batch.reduce((sum, item) => sum + weight(item), 0);
  const sent = batch.reduce((sum, item) => sum + weight(item) * sentOf(item), 0);
  return all === 0 ? 0 : sent / all;
}

const isMeant = ({ status }: QueueItem): boolean => status !== 'error' && status !== 'canceled';
const sentOf = (item: QueueItem): number => (item.status === 'success' ? 1 : item.progress);

/** Seconds until the item is sent, as far as its speed tells. */
export function secondsLeft(item: QueueItem): number | undefined {
  if (item.speed === undefined || item.speed <= 0) return undefined;
  return ((1 - item.progress) * item.file.size) / item.speed;
}

export interface Finished {
  readonly name: string;
  readonly url: string;
}

export const finished = (queue: Queue): readonly Finished[] =>
  queue.items.filter((item) => item.status === 'success').map((item) => ({ name: item.file.name, url: item.url }));

/** The ids that stand after and before one, as far as there are any. */
export function neighbours(queue: Queue, id: number): readonly number[] {
  const index = indexOf(queue, id);
  return [queue.ids[index + 1], queue.ids[index - 1]].filter((each) => each !== undefined);
}
