export class QueueFull extends Error {
  constructor() {
    super('The queue is full');
    this.name = 'QueueFull';
  }
}

/** A task whose signal is aborted leaves the queue; one that runs is not interrupted. */
export type Semaphore = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** A semaphore: at most `atOnce` tasks run at the same time, and at most `mostWaiting` others wait in order of arrival. */
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
      // The slot passes directly to the next task, so a newcomer cannot slip in between.
      const [next] = waiting;
      if (next) next();
      else running -= 1;
    }
  };
}

/** Resolves when it is the caller's turn, which lasts until the returned function is called. */
export function takeTurn(semaphore: Semaphore): Promise<() => void> {
  return new Promise((resolve, reject) => {
    semaphore(() => new Promise<void>((end) => resolve(end))).catch(reject);
  });
}
