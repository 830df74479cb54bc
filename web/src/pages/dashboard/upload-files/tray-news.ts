/** What the tray has to say when no batch is running. */
import { formatCount, formatFiles } from '../../../lib/format.ts';
import type { Queue } from './queue.ts';
import { summaryOf } from './summary.ts';

export const hasNews = (queue: Queue): boolean => outcomeOf(queue) !== undefined || waitingOf(queue) !== undefined;

/** How the newest batch ended, as long as nobody has seen it: `9 uploaded, 3 failed`. */
export function outcomeOf(queue: Queue): string | undefined {
  if (queue.toldBatch === queue.batch) return undefined;
  const { success, error, canceled } = summaryOf(queue).batch;
  const parts = [
    success > 0 && `${formatCount(success)} uploaded`,
    error > 0 && `${formatCount(error)} failed`,
    canceled > 0 && `${formatCount(canceled)} canceled`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** `3 files waiting`, unless the person does not want to hear of them. */
export function waitingOf(queue: Queue): string | undefined {
  const { pending } = summaryOf(queue).all;
  return pending > 0 && !queue.quiet ? `${formatFiles(pending)} waiting` : undefined;
}
