import type { Evicted } from '@holdfast/contract/src/activity.ts';
import { formatTimeLeft } from '../../../lib/format.ts';
import {
  canRetry,
  isMoving,
  letsNextGo,
  type QueueItem,
  sentOf,
  type UploadTrouble,
  type UploadStatus,
} from './queue-item.ts';
import { indexOf, type Queue } from './queue.ts';

export function nextItem(queue: Queue): QueueItem | undefined {
  if (queue.owner === undefined || !queue.running || !queue.online || queue.paused || queue.resting) return undefined;
  const uploading = queue.items.filter((item) => item.status === 'uploading');
  if (uploading.length >= (queue.trouble ? 1 : mostUploading) || !uploading.every(letsNextGo)) return undefined;
  const pending = queue.items.filter((item) => item.status === 'pending');
  // One that a proxy does not pass on lets the others go first.
  return pending.find(({ lost }) => lost === 0) ?? pending.toSorted((a, b) => a.lost - b.lost)[0];
}

/** An account may upload four files at once, in other tabs and with its key too. */
const mostUploading = 2;

/** The one that is being sent, or else one that the server is storing. */
export function uploadingItem({ items }: Queue): QueueItem | undefined {
  const uploading = items.filter((item) => item.status === 'uploading');
  return uploading.find(({ progress }) => progress < 1) ?? uploading[0];
}

export const itemOf = (queue: Queue, id: number): QueueItem | undefined => queue.items[indexOf(queue, id)];

type Pause = 'offline' | 'paused' | UploadTrouble | 'stalled';

/** The reason why nothing moves although it should. */
export function pauseOf(queue: Queue): Pause | undefined {
  if (!queue.online) return 'offline';
  if (queue.paused) return 'paused';
  const item = uploadingItem(queue);
  // Applies during further attempts too, until one of them makes progress.
  if (queue.trouble && !(item && isMoving(item))) return queue.trouble;
  return item?.stalled ? 'stalled' : undefined;
}

/** When the server wants the next attempt, in milliseconds on the queue's clock, if that is more than a minute away. */
export function nextAttemptAt({ resting, pausedAt, retryAfterSeconds = 0 }: Queue): number | undefined {
  return resting && retryAfterSeconds > 60 ? pausedAt + retryAfterSeconds * 1000 : undefined;
}

/** Counts of the queue, computed once after each change, however many components read them. */
export interface QueueSummary {
  readonly all: Tally;
  readonly batch: Tally;
  readonly openFiles: number;
  readonly openBytes: number;
  readonly canRetry: number;
  /** Of the batch. */
  readonly evicted: Evicted | undefined;
  readonly place: BatchPlace | undefined;
}

type Tally = Readonly<Record<UploadStatus, number>>;

export function summaryOf(queue: Queue): QueueSummary {
  const known = counted.get(queue) ?? count(queue);
  counted.set(queue, known);
  return known;
}

const hasStuck = ({ all }: QueueSummary): boolean => all.error + all.canceled > 0;

/** Whether the queue holds files that are not stored. */
export const hasUnstored = (summary: QueueSummary): boolean => summary.openFiles > 0 || hasStuck(summary);

const counted = new WeakMap<Queue, QueueSummary>();

function count(queue: Queue): QueueSummary {
  const batch = queue.items.filter((item) => item.batch === queue.batch);
  const open = queue.items.filter(({ status }) => status === 'pending' || status === 'uploading');
  return {
    all: tally(queue.items),
    batch: tally(batch),
    openFiles: open.length,
    openBytes: open.reduce((sum, { file }) => sum + file.size, 0),
    canRetry: queue.items.filter(canRetry).length,
    evicted: evictedFor(batch),
    place: batchPlace(queue),
  };
}

function evictedFor(batch: readonly QueueItem[]): Evicted | undefined {
  const all = batch.flatMap(({ evicted }) => evicted ?? []);
  if (all.length === 0) return undefined;
  return {
    total: all.reduce((sum, { total }) => sum + total, 0),
    size: all.reduce((sum, { size }) => sum + size, 0),
    names: all.flatMap(({ names }) => names),
  };
}

function tally(items: readonly QueueItem[]): Tally {
  const counts = { pending: 0, uploading: 0, success: 0, error: 0, canceled: 0 };
  for (const { status } of items) counts[status] += 1;
  return counts;
}

interface BatchPlace {
  readonly position: number;
  readonly total: number;
  /** Fraction of the bytes that has been sent, from 0 to 1, without failed and canceled files. */
  readonly progress: number;
}

export function batchPlace(queue: Queue): BatchPlace | undefined {
  if (!queue.running) return undefined;
  const batch = queue.items.filter((item) => item.batch === queue.batch);
  const waiting = batch.filter((item) => item.status === 'pending').length;
  // Between two files and while offline no file is uploading, so the position is that of the next file.
  const position = batch.length - waiting + (uploadingItem(queue) ? 0 : 1);
  return {
    position: Math.min(position, batch.length),
    total: batch.length,
    progress: bytesSent(batch.filter(isMeant)),
  };
}

function bytesSent(batch: readonly QueueItem[]): number {
  // Each file counts one extra byte, so that a batch of empty files shows progress too.
  const weight = (item: QueueItem) => item.file.size + 1;
  const all = batch.reduce((sum, item) => sum + weight(item), 0);
  const sent = batch.reduce((sum, item) => sum + weight(item) * sentOf(item), 0);
  return all === 0 ? 0 : sent / all;
}

const isMeant = ({ status }: QueueItem): boolean => status !== 'error' && status !== 'canceled';

/** `12 s left` for the whole batch, while its speed is known. */
export function batchTimeLeft(queue: Queue): string | undefined {
  const speed = queue.pace?.speed;
  if (speed === undefined || speed <= 0) return undefined;
  const open = queue.items.filter(
    ({ batch, status }) => batch === queue.batch && (status === 'pending' || status === 'uploading'),
  );
  return formatTimeLeft(open.reduce((sum, item) => sum + (1 - item.progress) * item.file.size, 0) / speed);
}

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

export function neighbors(queue: Queue, id: number): readonly number[] {
  const index = indexOf(queue, id);
  return [queue.ids[index + 1], queue.ids[index - 1]].filter((each) => each !== undefined);
}
