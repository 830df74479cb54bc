/**
 * Tells the screen that the queue has changed: at once of what a person did, and ten times a second at most of what the
 * network did. Small files end fifty times a second, and each time there would be rows and figures to draw.
 */
import { atIntervals } from './at-intervals.ts';
import type { QueueEvent } from './queue.ts';
import { uploads } from './tab-uploads.ts';

export function subscribeScreen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const listeners = new Set<() => void>();

const tellAll = () => {
  for (const listener of listeners) listener();
};
const tellInTurn = atIntervals(100, tellAll);

const ofTheNetwork: ReadonlySet<QueueEvent['type']> = new Set(['progress', 'hold', 'succeed', 'fail']);

uploads.subscribe(({ type }) => (ofTheNetwork.has(type) ? tellInTurn() : tellAll()));
