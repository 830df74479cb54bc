import { MessageChannel, Worker } from 'node:worker_threads';

/** Incremental SHA-256. */
export interface Digest extends Disposable {
  /** Adds bytes in shared memory, which must not change until the promise resolves. */
  add(bytes: Buffer): Promise<unknown>;
  /** Resolves to lower-case hexadecimal. */
  result(): Promise<string>;
}

export interface DigestWorkers extends AsyncDisposable {
  start(): Digest;
}

interface Thread {
  readonly worker: Worker;
  /** The failure callbacks of the digests that run in this thread. */
  readonly digests: Set<(error: Error) => void>;
}

/**
 * Hashes in up to `most` threads, each started when all others are busy. They never keep the process alive. When a
 * thread dies, its digests fail, and the next digest starts another thread.
 */
export function openDigestWorkers(
  most: number,
  program = new URL('./digest-worker.mjs', import.meta.url),
): DigestWorkers {
  const threads = new Set<Thread>();

  function startThread(): Thread {
    const thread: Thread = { worker: new Worker(program), digests: new Set() };
    const end = (cause?: unknown) => {
      threads.delete(thread);
      const error = new Error('A digest worker thread has ended', { cause });
      for (const fail of thread.digests) fail(error);
    };
    thread.worker.on('error', end).on('exit', () => end());
    thread.worker.unref();
    threads.add(thread);
    return thread;
  }

  function leastBusy(): Thread {
    const [thread] = [...threads].toSorted((a, b) => a.digests.size - b.digests.size);
    return thread && (thread.digests.size === 0 || threads.size >= most) ? thread : startThread();
  }

  return {
    start: () => startDigest(leastBusy()),
    async [Symbol.asyncDispose]() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function startDigest({ worker, digests }: Thread): Digest {
  const { port1: port, port2 } = new MessageChannel();
  const asked: PromiseWithResolvers<string>[] = [];
  let failure: Error | null = null;

  function fail(error: Error): void {
    failure = error;
    digests.delete(fail);
    port.close();
    for (const answer of asked.splice(0)) answer.reject(error);
  }

  function ask(bytes: Buffer | null): Promise<string> {
    if (failure) return Promise.reject(failure);
    const answer = Promise.withResolvers<string>();
    asked.push(answer);
    port.postMessage(bytes);
    return answer.promise;
  }

  digests.add(fail);
  port.on('message', (text: string) => asked.shift()?.resolve(text));
  worker.postMessage(port2, [port2]);
  return { add: ask, result: () => ask(null), [Symbol.dispose]: () => fail(new Error('The digest was canceled')) };
}
