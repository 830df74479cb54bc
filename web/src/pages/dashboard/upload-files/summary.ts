/** The queue in a few numbers, counted once after each change however many parts of the screen ask. */
import type { Queue, QueueItem, UploadStatus } from './queue.ts';
import { type BatchPlace, batchPlace } from './views.ts';

export interface Summary {
  /** How many of all files are in each state. */
  readonly all: Tally;
  /** The same for the newest batch alone. */
  readonly batch: Tally;
  /** How many files, and bytes, are waiting or on their way. */
  readonly openFiles: number;
  readonly openBytes: number;
  readonly place: BatchPlace | undefined;
}

export type Tally = Readonly<Record<UploadStatus, number>>;

export function summaryOf(queue: Queue): Summary {
  const known = counted.get(queue) ?? count(queue);
  counted.set(queue, known);
  return known;
}

/** Whether there is something to retry. */
export const hasStuck = ({ all }: Summary): boolean => all.error + all.canceled > 0;

const counted = new WeakMap<Queue, Summary>();

function count(queue: Queue): Summary {
  const open = queue.items.filter(({ status }) => status === 'pending' || status === 'uploading');
  return {
    all: tally(queue.items),
    batch: tally(queue.items.filter(({ batch }) => batch === queue.batch)),
    openFiles: open.length,
    openBytes: open.reduce((sum, { file }) => sum + file.size, 0),
    place: batchPlace(queue),
  };
}

function tally(items: readonly QueueItem[]): Tally {
  const counts = { pending: 0, uploading: 0, success: 0, error: 0, canceled: 0 };
  for (const { status } of items) counts[status] += 1;
  return counts;
}
