import type { Logger } from 'pino';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { Database } from '../db/database.ts';
import { type BlobId, BlobMissing, type BlobStore, type WrittenBytes } from './blobs.ts';
import { openWriteThreads } from './write-threads.ts';

interface HashedBytes extends WrittenBytes {
  readonly blobId: BlobId;
}

interface Parts {
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly log: Pick<Logger, 'warn'>;
  readonly readFrom?: Database;
}

export function openSha1({ db, readFrom = db, blobs, log }: Parts) {
  const threads = openWriteThreads(1);
  const inTurn = createSemaphore(4, 64);
  const inUploadTurn = createSemaphore(2);
  const underWay = new Map<BlobId, Promise<string>>();

  const compute = async ({ blobId, size, sha256 }: HashedBytes): Promise<string> => {
    await using reader = await blobs.open(blobId, 0, size - 1);
    if (reader.size !== size) throw new BlobMissing(blobId);
    using stream = threads.stream({ algorithms: ['sha1', 'sha256'] });
    let slab = new ArrayBuffer(Math.max(1, Math.min(1024 * 1024, size)));
    for (let length; (length = await reader.read(Buffer.from(slab))) > 0;)
      ({ slab } = await stream.append(slab, length));
    const found = await stream.digests();
    if (found.sha256 !== sha256) throw new BlobMissing(blobId, new Error('Their SHA-256 has changed'));
    return found.sha1;
  };
  const store = async (sha256: string, sha1: string): Promise<void> => {
    await db
      .updateTable('blobs')
      .set({ sha1 })
      .where('sha256', '=', sha256)
      .where('sha1', 'is', null)
      .execute()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'a SHA-1 could not be stored; it is computed again when it is asked for'),
      );
  };
  const findOrCompute = async (bytes: HashedBytes): Promise<string> => {
    // A replica may be away.
    const stored = await readStored(readFrom, bytes.blobId).catch(() => null);
    if (stored !== null) return stored;
    const sha1 = await inTurn(() => compute(bytes));
    await store(bytes.sha256, sha1);
    return sha1;
  };
  return {
    of(bytes: HashedBytes): Promise<string> {
      const { blobId } = bytes;
      const started = underWay.get(blobId) ?? findOrCompute(bytes).finally(() => underWay.delete(blobId));
      underWay.set(blobId, started);
      return started;
    },
    ofUpload: (bytes: HashedBytes): Promise<string> => inUploadTurn(() => compute(bytes)),
    store,
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}

const readStored = async (db: Database, id: BlobId): Promise<string | null> =>
  (await db.selectFrom('blobs').select('sha1').where('id', '=', id).executeTakeFirst())?.sha1 ?? null;
