import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Runs the work of each key in order of arrival. */
export type Serialize = <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** At most `atOnce` for each key at the same time, while at most `mostWaiting` others wait. */
export function createSerialize(atOnce = 1, mostWaiting = Infinity): Serialize {
  const queues = new Map<string, { readonly run: Semaphore; users: number }>();
  return async (key, work, signal) => {
    const queue = queues.get(key) ?? { run: createSemaphore(atOnce, mostWaiting), users: 0 };
    queues.set(key, queue);
    queue.users += 1;
    try {
      return await queue.run(work, signal);
    } finally {
      queue.users -= 1;
      if (queue.users === 0) queues.delete(key);
    }
  };
}
