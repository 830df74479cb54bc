import { Failure } from '@holdfast/contract/src/errors.ts';
import type { checksumAlgorithms } from '@holdfast/contract/src/resumable.ts';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { planOf } from '../../accounts/plan-of.ts';
import type { Caller } from '../../accounts/identify.ts';
import type { Context } from '../../context.ts';
import { freeChunk, readChunks } from '../../http/multipart.ts';
import { type ByteReader, readerOf } from '../../lib/byte-reader.ts';
import { BlobMissing, type Unfinished } from '../../storage/blobs/blobs.ts';
import type { UploadRow } from '../../storage/db/schema.ts';
import { refuseSize } from '../plan-limits.ts';
import { storageFailure } from '../receive.ts';

export interface Checksum {
  readonly algorithm: (typeof checksumAlgorithms)[number];
  readonly digest: Buffer;
}

interface Piece {
  readonly incoming: IncomingMessage;
  readonly checksum: Checksum | null;
  readonly heard: () => void;
}

/** Returns the row with what has arrived. A connection that breaks off leaves what it brought. */
export async function appendBytes(
  context: Context,
  caller: Caller,
  row: UploadRow,
  { incoming, checksum, heard }: Piece,
): Promise<UploadRow> {
  const { blobs } = context;
  const { blob_id: id, place, stored: before, size: total } = row;
  refuseSize({ plan: planOf(context, caller.account), freeBytes: Infinity }, total);
  const left = total - before;
  if (Number(incoming.headers['content-length'] ?? 0) > left) throw tooLong();
  if (left > (await blobs.freeSpace.room())) throw new Failure('UPLOAD_STORAGE_FULL');
  let now = row;
  let checked: Unfinished | null = null;
  const onStored = async (state: Unfinished) => {
    if (checksum) checked = state;
    else now = await advance(context, now, state);
    return !checksum;
  };
  await using chunks = readChunks(incoming);
  const source = atMost(left, heard, readerOf(chunks, freeChunk));
  const verified = checksum ? verify(source, checksum) : source;
  try {
    await blobs.unfinished.append({ id, place, size: before, total }, verified, onStored);
  } catch (error) {
    if (error instanceof BlobMissing) throw new Failure('UPLOAD_UNKNOWN', undefined, { cause: error });
    if (incoming.destroyed && !incoming.complete) throw new Failure('UPLOAD_INTERRUPTED', undefined, { cause: error });
    throw storageFailure(error);
  }
  return checked ? advance(context, now, checked) : now;
}

/** Of requests to several processes one wins. */
async function advance(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  row: UploadRow,
  { place, size: stored }: Unfinished,
): Promise<UploadRow> {
  const changed = await db
    .updateTable('uploads')
    .set({ place, stored, changed_at: clock.now() })
    .where('id', '=', row.id)
    .where('place', '=', row.place)
    .where('stored', '=', row.stored)
    .where('file_name', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!changed) throw new Failure('UPLOAD_OFFSET_WRONG');
  return changed;
}

const tooLong = () => new Failure('UPLOAD_TOO_LARGE', 'The body is longer than what is missing of this upload.');

function atMost(bytes: number, heard: () => void, source: ByteReader): ByteReader {
  let left = bytes;
  return {
    async read(into) {
      const count = await source.read(into.subarray(0, Math.max(left, 1)));
      heard();
      if (count > left) throw tooLong();
      left -= count;
      return count;
    },
  };
}

function verify(source: ByteReader, { algorithm, digest }: Checksum): ByteReader {
  const hash = createHash(algorithm);
  return {
    async read(into) {
      const count = await source.read(into);
      hash.update(into.subarray(0, count));
      if (count === 0 && !hash.digest().equals(digest)) throw new Failure('UPLOAD_CHECKSUM_WRONG');
      return count;
    },
  };
}
