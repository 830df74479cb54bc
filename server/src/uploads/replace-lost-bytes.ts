import type { Context } from '../context.ts';
import { readBlob } from '../files/read-blob.ts';
import { type BlobId, BlobUnreadable, isOfBytes, StorageReplaced } from '../storage/blobs/blobs.ts';
import { type Received, removeBytes } from './receive.ts';

type Parts = Pick<Context, 'blobs' | 'config' | 'log'>;

/** The upload shares a blob whose bytes were not checked. */
export class OtherBlob extends Error {
  override readonly name = 'OtherBlob';
  readonly blobId: BlobId;

  constructor(blobId: BlobId) {
    super('The upload shares another blob');
    this.blobId = blobId;
  }
}

/** The storage may be slow, so it is asked between transactions: `insert` throws `OtherBlob` unless it gets `blobId`. */
export async function checkEqualBytes<Result>(
  parts: Omit<Parts, 'config'>,
  received: Received,
  insert: (blobId: BlobId) => Promise<Result>,
): Promise<Result> {
  for (let { blobId } = received; ;)
    try {
      return await insert(blobId);
    } catch (error) {
      if (!(error instanceof OtherBlob)) throw error;
      ({ blobId } = error);
      await replaceLostBytes(parts, blobId, received);
    }
}

/** The received bytes take the place of equal ones that are missing or of the wrong size. */
async function replaceLostBytes(parts: Omit<Parts, 'config'>, blobId: BlobId, bytes: Received): Promise<void> {
  const { blobs, log } = parts;
  const { blobId: from, size } = bytes;
  const stored = await blobs.size(blobId).catch((error: unknown) => {
    if (isOfBytes(error)) return null;
    throw error;
  });
  if (stored === size) return;
  if (blobId === from || !blobs.holds(from, size)) throw new StorageReplaced();
  await blobs.replace(from, blobId);
  log.error({ blob: blobId, stored, size }, repaired);
}

const repaired = 'ALARM: stored bytes were lost; an upload of the same bytes has repaired them';

/** Of equal bytes the stored ones stay, unless they cannot be read: then the received ones take their place. */
export async function keepReadable(parts: Parts, blobId: BlobId, { blobId: from, size }: Received): Promise<void> {
  const { blobs, log } = parts;
  const error = await readError(parts, blobId, size);
  if (!error) return removeBytes(parts, from);
  await blobs.replace(from, blobId);
  log.error({ err: error, blob: blobId, size }, repaired);
}

/** Nobody may have read all of them before. An object of S3 fails when it is opened. */
async function readError({ blobs, config }: Parts, blobId: BlobId, size: number): Promise<BlobUnreadable | null> {
  const bytes = { blobId, size: config.blobs.engine === 'disk' ? size : Math.min(size, 1) };
  try {
    for await (const _ of readBlob(blobs, bytes));
  } catch (error) {
    if (error instanceof BlobUnreadable) return error;
  }
  return null;
}
