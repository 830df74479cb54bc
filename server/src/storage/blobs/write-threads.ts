import { Worker } from 'node:worker_threads';
import { BlobsUnavailable } from './blobs.ts';

interface StreamOptions {
  /** The file to append to, if any. */
  readonly fd?: number;
  readonly algorithms?: readonly ('sha1' | 'sha256')[];
  /** Also hashes each slab alone. */
  readonly each?: boolean;
}

interface Reply {
  readonly slab: ArrayBuffer;
  /** Of the slab alone. */
  readonly sha256: string;
  readonly digests: { readonly sha1: string; readonly sha256: string };
  readonly fd: number;
  readonly folderFd: number;
}

interface Thread {
  readonly worker: Worker;
  /** In the order of the replies. */
  readonly calls: PromiseWithResolvers<Reply>[];
  streams: number;
  ended: Error | null;
}

export type ThreadStream = ReturnType<ReturnType<typeof openWriteThreads>['stream']>;

/** Each thread is started when all others are busy. When one dies, its calls fail, and the next stream starts another. */
export function openWriteThreads(most: number, program = new URL('./write-thread.mjs', import.meta.url)) {
  const threads = new Set<Thread>();
  let streams = 0;

  function startThread(): Thread {
    // At its end, a thread would close numbers that are other files by then.
    const worker = new Worker(program, { trackUnmanagedFds: false });
    const thread: Thread = { worker, calls: [], streams: 0, ended: null };
    let cause: unknown;
    worker.on('error', (error) => (cause = error));
    // Only then it is certain that it no longer writes to a descriptor that is closed next.
    worker.on('exit', () => {
      threads.delete(thread);
      thread.ended = new BlobsUnavailable('A thread that writes blobs has ended', cause);
      for (const { reject } of thread.calls) reject(thread.ended);
    });
    worker.on('message', ({ error, ...reply }) => {
      const asked = thread.calls.shift();
      if (thread.calls.length === 0) worker.unref();
      if (error) asked?.reject(Object.assign(new Error(error.message), error));
      else asked?.resolve(reply);
    });
    worker.unref();
    threads.add(thread);
    return thread;
  }

  function leastBusy(): Thread {
    const busy = (thread: Thread) => thread.streams + thread.calls.length;
    const [thread] = [...threads].toSorted((a, b) => busy(a) - busy(b));
    return thread && (busy(thread) === 0 || threads.size >= most) ? thread : startThread();
  }

  function ask({ worker, calls, ended }: Thread, message: object, slab?: ArrayBuffer): Promise<Reply> {
    if (ended) return Promise.reject(ended);
    const asked = Promise.withResolvers<Reply>();
    calls.push(asked);
    worker.ref();
    worker.postMessage({ slab, ...message }, slab ? [slab] : []);
    return asked.promise;
  }

  return {
    stream({ algorithms = ['sha256'], ...options }: StreamOptions) {
      const thread = leastBusy();
      thread.streams += 1;
      streams += 1;
      const stream = { ...options, algorithms, stream: streams };
      return {
        append: (slab: ArrayBuffer, length: number): Promise<Pick<Reply, 'slab' | 'sha256'>> =>
          ask(thread, { kind: 'append', length, ...stream }, slab),
        digests: async () => (await ask(thread, { kind: 'digests', ...stream })).digests,
        [Symbol.dispose]() {
          thread.streams -= 1;
          // It has no reply.
          thread.worker.postMessage({ kind: 'end', ...stream }, []);
        },
      };
    },
    /** Writes a slab to a new file and moves it into its place. If it fails, either path may exist. */
    place: (paths: { readonly tempPath: string; readonly path: string }, slab: ArrayBuffer, length: number) =>
      ask(leastBusy(), { kind: 'place', length, ...paths }, slab),
    async [Symbol.asyncDispose]() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
