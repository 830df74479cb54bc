import { formatCount, formatFiles } from '../../../lib/format.ts';
import type { Queue } from './queue.ts';
import { summaryOf } from './selectors.ts';

export const hasMessage = (queue: Queue): boolean =>
  outcomeMessage(queue) !== undefined || waitingMessage(queue) !== undefined;

/** Outcome of the newest batch, until the user has seen it: `9 uploaded, 3 failed`. */
export function outcomeMessage(queue: Queue): string | undefined {
  if (queue.toldBatch === queue.batch) return undefined;
  const { success, error, canceled } = summaryOf(queue).batch;
  const parts = [
    success > 0 && `${formatCount(success)} uploaded`,
    error > 0 && `${formatCount(error)} failed`,
    canceled > 0 && `${formatCount(canceled)} canceled`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

export function waitingMessage(queue: Queue): string | undefined {
  const { pending } = summaryOf(queue).all;
  return pending > 0 && !queue.quiet ? `${formatFiles(pending)} waiting` : undefined;
}
