import { MessageChannel, Worker } from 'node:worker_threads';
import { BlobsUnavailable } from './blobs.ts';

/** One file, written and hashed by a thread. The descriptor must stay open until every call has settled. */
export interface ThreadWrite extends Disposable {
  /**
   * Appends the first `length` bytes of a slab to the file. The slab is transferred to the thread, and returned.
   * @throws the error of the file system, or BlobsUnavailable when the thread has died.
   */
  append(slab: ArrayBuffer, length: number): Promise<ArrayBuffer>;
  /** Returns the SHA-256 of everything appended, in lower-case hexadecimal. */
  digest(): Promise<string>;
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
  start(fd: number): ThreadWrite;
  /**
   * Writes the first `length` bytes of a slab to a new file and moves it into its place.
   * @throws the error of the file system, or BlobsUnavailable when the thread has died. Then either path may exist.
   */
  place(paths: NewFilePaths, slab: ArrayBuffer, length: number): Promise<PlacedFile>;
}

interface Thread {
  readonly worker: Worker;
  /** The failure callbacks of the writes in this thread. */
  readonly writes: Set<(error: Error) => void>;
  /** The files that it was asked to place, in this order. */
  readonly placing: PromiseWithResolvers<PlacedFile>[];
}

/**
 * Writes and hashes in up to `most` threads, each started when all others are busy. They never keep the process alive.
 * When a thread dies, its writes fail, and the next write starts another thread.
 */
export function openWriteThreads(most: number, program = new URL('./write-thread.mjs', import.meta.url)): WriteThreads {
  const threads = new Set<Thread>();

  function startThread(): Thread {
    // The caller closes what a thread has opened: a thread that tracked it would close the number again at its end,
    // which may be another file by then.
    const worker = new Worker(program, { trackUnmanagedFds: false });
    const thread: Thread = { worker, writes: new Set(), placing: [] };
    let cause: unknown;
    // Only after the exit is it certain that the thread no longer writes to a descriptor that is then closed.
    thread.worker.on('error', (error) => (cause = error));
    thread.worker.on('exit', () => {
      threads.delete(thread);
      const error = new BlobsUnavailable('A thread that writes blobs has ended', cause);
      for (const fail of thread.writes) fail(error);
      for (const { reject } of thread.placing) reject(error);
    });
    thread.worker.on('message', ({ error, ...placed }: PlacedFile & Pick<Reply, 'error'>) => {
      const asked = thread.placing.shift();
      if (thread.placing.length === 0) thread.worker.unref();
      if (error) asked?.reject(errorOf(error));
      else asked?.resolve(placed);
    });
    thread.worker.unref();
    threads.add(thread);
    return thread;
  }

  function leastBusy(): Thread {
    const busy = ({ writes, placing }: Thread) => writes.size + placing.length;
    const [thread] = [...threads].toSorted((a, b) => busy(a) - busy(b));
    return thread && (busy(thread) === 0 || threads.size >= most) ? thread : startThread();
  }

  return {
    start: (fd) => startWrite(leastBusy(), fd),
    place(paths, slab, length) {
      const { worker, placing } = leastBusy();
      const placed = Promise.withResolvers<PlacedFile>();
      placing.push(placed);
      worker.ref();
      worker.postMessage({ ...paths, slab, length }, [slab]);
      return placed.promise;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

interface Reply {
  readonly slab?: ArrayBuffer;
  readonly sha256?: string;
  readonly error?: { readonly message: string; readonly code?: string };
}

const errorOf = (error: NonNullable<Reply['error']>) => Object.assign(new Error(error.message), error);

function startWrite({ worker, writes }: Thread, fd: number): ThreadWrite {
  const { port1: port, port2 } = new MessageChannel();
  const asked: PromiseWithResolvers<Reply>[] = [];
  let failure: Error | null = null;

  function fail(error: Error): void {
    failure = error;
    writes.delete(fail);
    port.close();
    for (const reply of asked.splice(0)) reply.reject(error);
  }

  function ask(piece: { slab: ArrayBuffer; length: number } | null): Promise<Reply> {
    if (failure) return Promise.reject(failure);
    const reply = Promise.withResolvers<Reply>();
    asked.push(reply);
    port.postMessage(piece, piece ? [piece.slab] : []);
    return reply.promise;
  }

  writes.add(fail);
  port.on('message', (reply: Reply) => {
    if (reply.error) asked.shift()?.reject(errorOf(reply.error));
    else asked.shift()?.resolve(reply);
  });
  worker.postMessage({ port: port2, fd }, [port2]);
  return {
    append: async (slab, length) => (await ask({ slab, length })).slab ?? slab,
    digest: async () => (await ask(null)).sha256 ?? '',
    [Symbol.dispose]: () => fail(new Error('The write has ended')),
  };
}
