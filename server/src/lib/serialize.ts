import { createSemaphore, type Semaphore } from './semaphore.ts';

export function createSerialize(atOnce = 1, mostWaiting = Infinity) {
  const queues = new Map<string, { readonly run: Semaphore; users: number }>();
  return async <T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
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
