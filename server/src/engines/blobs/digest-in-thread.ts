import { MessageChannel, type Worker } from 'node:worker_threads';
import type { ByteReader } from '../../lib/byte-reader.ts';
import { BlobsUnavailable } from './blobs.ts';
import { keepWorker } from './kept-worker.ts';

/** In lower-case hexadecimal. */
export interface Digests {
  readonly sha1: string;
  readonly sha256: string;
}

export interface DigestThread extends AsyncDisposable {
  /**
   * Reads `source` to its end and returns the digests of its `size` bytes. Several calls at once share the thread evenly.
   * @throws the error of the source, or BlobsUnavailable when the thread has died.
   */
  digestsOf(source: ByteReader, size: number): Promise<Digests>;
}

const slabBytes = 1024 * 1024;

/** Hashes in one thread, which starts with the first call and never keeps the process alive. */
export function openDigestThread(program = new URL('./digest-thread.mjs', import.meta.url)): DigestThread {
  const worker = keepWorker(program);
  return {
    async digestsOf(source, size) {
      using hash = startHash(worker.running());
      // While the thread hashes one slab, the other one fills.
      const bytes = Math.max(1, Math.min(slabBytes, size));
      let free = new ArrayBuffer(bytes);
      let hashed = Promise.resolve(new ArrayBuffer(bytes));
      for (let length; (length = await source.read(Buffer.from(free))) > 0;) {
        const filled = free;
        free = await hashed;
        hashed = hash.update(filled, length);
      }
      await hashed;
      return await hash.digests();
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}

interface Reply extends Digests {
  readonly slab: ArrayBuffer;
}

function startHash(worker: Worker) {
  const { port1: port, port2 } = new MessageChannel();
  let asked: PromiseWithResolvers<Reply> | null = null;
  let isClosed = false;
  const ask = (piece: { slab: ArrayBuffer; length: number } | null): Promise<Reply> => {
    asked = Promise.withResolvers<Reply>();
    // The reader may fail before the reply is awaited, and the port then closes.
    asked.promise.catch(() => {});
    if (isClosed) asked.reject(ended());
    else port.postMessage(piece, piece ? [piece.slab] : []);
    return asked.promise;
  };
  port.on('message', (reply: Reply) => asked?.resolve(reply));
  port.on('close', () => {
    isClosed = true;
    asked?.reject(ended());
  });
  worker.postMessage(port2, [port2]);
  return {
    /** Transfers the slab to the thread, and returns it. */
    update: (slab: ArrayBuffer, length: number): Promise<ArrayBuffer> => {
      const updated = ask({ slab, length }).then((reply) => reply.slab);
      updated.catch(() => {});
      return updated;
    },
    async digests(): Promise<Digests> {
      const { sha1, sha256 } = await ask(null);
      return { sha1, sha256 };
    },
    [Symbol.dispose]: () => port.close(),
  };
}

const ended = () => new BlobsUnavailable('The thread that computes digests has ended');
