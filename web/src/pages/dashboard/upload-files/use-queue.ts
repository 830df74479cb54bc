import { useSyncExternalStore } from 'react';
import type { Queue, QueueEvent } from './queue.ts';
import { throttle } from './throttle.ts';
import { uploads } from './upload-queue-instance.ts';

/** Reads a value from the queue and re-renders the component only when that value changes. */
export function useQueue<T>(select: (queue: Queue) => T): T {
  return useSyncExternalStore(subscribe, () => select(uploads.read()));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const listeners = new Set<() => void>();

const notify = () => {
  for (const listener of listeners) listener();
};
const notifyThrottled = throttle(100, notify);

const networkEvents: ReadonlySet<QueueEvent['type']> = new Set(['progress', 'succeed', 'fail']);

// Components hear of user actions immediately, and of network events at most ten times a second. Small files can finish
// fifty times a second, and each change would re-render rows and figures.
uploads.subscribe(({ type }) => (networkEvents.has(type) ? notifyThrottled() : notify()));
