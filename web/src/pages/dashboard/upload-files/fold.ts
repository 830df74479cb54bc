import type { QueueItem } from './queue-item.ts';
import type { Queue } from './queue.ts';
import { summaryOf } from './selectors.ts';

/** A shorter queue is shown whole. */
const foldsFrom = 20;
/** Rows move only when as many files are done. */
const foldedAtOnce = 5;

/** Number of stored files whose rows are folded into one line. */
export function foldedCount(queue: Queue): number {
  const { success } = summaryOf(queue).all;
  if (queue.items.length <= foldsFrom) return 0;
  return queue.running ? success - (success % foldedAtOnce) : success;
}

/** Ids of the other rows. */
export function unfoldedIds(items: readonly QueueItem[], folded: number): readonly number[] {
  let left = folded;
  return items.filter(({ status }) => status !== 'success' || (left -= 1) < 0).map(({ id }) => id);
}
