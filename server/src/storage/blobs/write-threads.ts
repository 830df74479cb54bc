import { Worker } from 'node:worker_threads';
import { BlobsUnavailable } from './blobs.ts';

export type Algorithm = 'sha1' | 'sha256';

interface StreamOptions {
  /** The file to append to. It must stay open until every call has settled. */
  readonly fd?: number;
  readonly algorithms?: readonly Algorithm[];
  /** Also hashes each slab alone. */
  readonly each?: boolean;
}

/** Bytes that one thread hashes in order, and writes to a file if there is one. */
export interface ThreadStream extends Disposable {
  /**
   * Appends the first `length` bytes of a slab, which is transferred to the thread and returned. `sha256` is empty unless
   * each slab is hashed alone.
   * @throws the error of the file system, or BlobsUnavailable when the thread has died.
   */
  append(slab: ArrayBuffer, length: number): Promise<{ readonly slab: ArrayBuffer; readonly sha256: string }>;
  /** Returns the digests of everything appended, in lower-case hexadecimal. */
  digests(): Promise<Record<Algorithm, string>>;
}

/** A new file, and where it goes once it is written. */
export interface NewFilePaths {
  readonly tempPath: string;
  readonly path: string;
  /** That of `path`. */
  readonly folder: string;
}

/** A whole file in its place. The caller syncs and closes both descriptors. */
export interface PlacedFile {
  readonly fd: number;
  readonly folderFd: number;
  readonly sha256: string;
  /** The slab that was sent. */
  readonly slab: ArrayBuffer;
}

export interface WriteThreads extends AsyncDisposable {
  stream(options: StreamOptions): ThreadStream;
  /**
   * Writes the first `length` bytes of a slab to a new file and moves it into its place.
   * @throws the error of the file system, or BlobsUnavailable when the thread has died. Then either path may exist.
   */
  place(paths: NewFilePaths, slab: ArrayBuffer, length: number): Promise<PlacedFile>;
}

interface Reply {
  readonly call: number;
  readonly slab: ArrayBuffer;
  readonly sha256?: string;
  readonly digests: Record<Algorithm, string>;
  readonly fd: number;
  readonly folderFd: number;
  readonly error?: { readonly message: string; readonly code?: string };
}

interface Thread {
  readonly worker: Worker;
  readonly calls: Map<number, PromiseWithResolvers<Reply>>;
  streams: number;
  ended: Error | null;
}

/**
 * Writes and hashes in up to `most` threads, each started when all others are busy. They keep the process alive only while
 * they work. When a thread dies, its calls fail, and the next stream starts another thread.
 */
export function openWriteThreads(most: number, program = new URL('./write-thread.mjs', import.meta.url)): WriteThreads {
  const threads = new Set<Thread>();
  let calls = 0;
  let streams = 0;

  function startThread(): Thread {
    // The caller closes what a thread has opened: a thread that tracked it would close the number again at its end,
    // which may be another file by then.
    const worker = new Worker(program, { trackUnmanagedFds: false });
    const thread: Thread = { worker, calls: new Map(), streams: 0, ended: null };
    let cause: unknown;
    worker.on('error', (error) => (cause = error));
    // Only after the exit is it certain that the thread no longer writes to a descriptor that is then closed.
    worker.on('exit', () => {
      threads.delete(thread);
      thread.ended = new BlobsUnavailable('A thread that writes blobs has ended', cause);
      for (const { reject } of thread.calls.values()) reject(thread.ended);
    });
    worker.on('message', (reply: Reply) => {
      const asked = thread.calls.get(reply.call);
      thread.calls.delete(reply.call);
      if (thread.calls.size === 0) worker.unref();
      if (reply.error) asked?.reject(Object.assign(new Error(reply.error.message), reply.error));
      else asked?.resolve(reply);
    });
    worker.unref();
    threads.add(thread);
    return thread;
  }

  function leastBusy(): Thread {
    const busy = (thread: Thread) => thread.streams + thread.calls.size;
    const [thread] = [...threads].toSorted((a, b) => busy(a) - busy(b));
    return thread && (busy(thread) === 0 || threads.size >= most) ? thread : startThread();
  }

  function ask(thread: Thread, message: object, slab?: ArrayBuffer): Promise<Reply> {
    if (thread.ended) return Promise.reject(thread.ended);
    calls += 1;
    const asked = Promise.withResolvers<Reply>();
    thread.calls.set(calls, asked);
    thread.worker.ref();
    thread.worker.postMessage({ call: calls, slab, ...message }, slab ? [slab] : []);
    return asked.promise;
  }

  return {
    stream({ algorithms = ['sha256'], ...options }) {
      const thread = leastBusy();
      thread.streams += 1;
      streams += 1;
      const about = { ...options, algorithms, stream: streams };
      let isEnded = false;
      const digests = async () => {
        isEnded = true;
        return (await ask(thread, { kind: 'digests', ...about })).digests;
      };
      return {
        append: async (slab, length) => ({
          sha256: '',
          ...(await ask(thread, { kind: 'append', length, ...about }, slab)),
        }),
        digests,
        [Symbol.dispose]() {
          thread.streams -= 1;
          if (!isEnded) digests().catch(() => {});
        },
      };
    },
    place: (paths, slab, length) =>
      ask(leastBusy(), { kind: 'place', length, ...paths }, slab).then((reply) => ({
        ...reply,
        sha256: reply.sha256 ?? '',
      })),
    async [Symbol.asyncDispose]() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
