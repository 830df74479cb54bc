export class QueueFull extends Error {
  constructor() {
    super('The queue is full');
    this.name = 'QueueFull';
  }
}

/** An aborted task leaves the queue; a running one is not interrupted. */
export type Semaphore = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Tasks wait in order of arrival. */
export function createSemaphore(atOnce: number, mostWaiting = Infinity): Semaphore {
  const waiting = new Set<() => void>();
  let running = 0;
  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(start);
        reject(signal?.reason as Error);
      };
      const start = () => {
        waiting.delete(start);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running < atOnce) running += 1;
    else if (waiting.size < mostWaiting) await turn(signal);
    else throw new QueueFull();
    try {
      return await work();
    } finally {
      // No newcomer slips in between.
      const [next] = waiting;
      if (next) next();
      else running -= 1;
    }
  };
}

/** The turn lasts until the returned function is called. */
export function takeTurn(semaphore: Semaphore): Promise<() => void> {
  return new Promise((resolve, reject) => {
    semaphore(() => new Promise<void>((end) => resolve(end))).catch(reject);
  });
}
