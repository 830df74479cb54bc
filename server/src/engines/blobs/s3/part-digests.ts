import { MessageChannel, type Worker } from 'node:worker_threads';
import { BlobsUnavailable } from '../blobs.ts';
import { keepWorker } from '../kept-worker.ts';

/** The digests of one object that is written in parts. */
export interface PartDigests extends Disposable {
  /**
   * Hashes the first `length` bytes of a slab, which is transferred to the thread and returned. `isAll` tells that there is
   * no other part.
   * @throws {BlobsUnavailable} when the thread has died.
   */
  add(slab: ArrayBuffer, length: number, isAll: boolean): Promise<{ slab: ArrayBuffer; sha256: string }>;
  /** Returns the SHA-256 of all parts, unless there was only one, in lower-case hexadecimal. */
  ofAll(): Promise<string>;
}

export interface PartDigestThread extends AsyncDisposable {
  start(): PartDigests;
}

interface Reply {
  readonly slab: ArrayBuffer;
  readonly sha256: string;
}

const ended = () => new BlobsUnavailable('The thread that hashes parts has ended');

/** Hashes in one thread, which starts with the first write and never keeps the process alive. */
export function openPartDigests(program = new URL('./part-thread.mjs', import.meta.url)): PartDigestThread {
  const worker = keepWorker(program);
  return {
    start: () => startDigests(worker.running()),
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}

function startDigests(worker: Worker): PartDigests {
  const { port1: port, port2 } = new MessageChannel();
  const asked: PromiseWithResolvers<Reply>[] = [];
  let isClosed = false;
  const ask = (part: { slab: ArrayBuffer; length: number; isAll: boolean } | null): Promise<Reply> => {
    if (isClosed) return Promise.reject(ended());
    const reply = Promise.withResolvers<Reply>();
    asked.push(reply);
    port.postMessage(part, part ? [part.slab] : []);
    return reply.promise;
  };
  port.on('message', (reply: Reply) => asked.shift()?.resolve(reply));
  port.on('close', () => {
    isClosed = true;
    for (const reply of asked.splice(0)) reply.reject(ended());
  });
  worker.postMessage(port2, [port2]);
  return {
    add: (slab, length, isAll) => ask({ slab, length, isAll }),
    ofAll: async () => (await ask(null)).sha256,
    [Symbol.dispose]: () => port.close(),
  };
}
