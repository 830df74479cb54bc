import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type UploadPartCommandInput,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ByteReader } from '../../../lib/byte-reader.ts';
import { seconds } from '../../../lib/clock.ts';
import { BlobsUnavailable, StorageFull, type WrittenBytes } from '../blobs.ts';
import { openWriteThreads, type ThreadStream } from '../write-threads.ts';
import type { S3 } from './client.ts';

/** Every part but the last has the same size, because some stores insist on it. */
const partBytes = 8 * 1024 * 1024;
/** The S3 API allows no more parts. */
const mostParts = 10_000;
const firstBytes = 64 * 1024;
/** Slabs that are kept for the next write: those of four writes. */
const mostSpare = 8;
/** An upload does not end because the store restarts: its client waits, and the part that was on its way is sent again. */
const longestOutage = seconds(30);
const mostTries = 4;

type Accept = ((written: WrittenBytes) => void) | undefined;

export interface ObjectWriter extends AsyncDisposable {
  /**
   * Writes all bytes of `source` to a key: in one request if they fit into a part, and in parts otherwise. `accept` is
   * called before the object takes its place.
   * @throws the error of `source` or of `accept`. Then there is no new object at the key.
   * @throws {BlobsUnavailable}, {StorageFull} Then it is unknown whether there is an object or a part of one.
   */
  write(key: string, source: ByteReader, accept: Accept): Promise<WrittenBytes>;
}

export function openObjectWriter(s3: S3): ObjectWriter {
  const threads = openWriteThreads(1);
  const spare: ArrayBuffer[] = [];
  const giveBack = (slab: ArrayBuffer) => {
    if (slab.byteLength === partBytes && spare.length < mostSpare) spare.push(slab);
  };
  /** A slab grows with what has arrived, so that a small or slow upload does not hold a whole one. */
  const fill = async (source: ByteReader, isFirst: boolean): Promise<Part> => {
    let slab = isFirst ? new ArrayBuffer(firstBytes) : (spare.pop() ?? new ArrayBuffer(partBytes));
    for (let length = 0; ;) {
      if (length === partBytes) return { slab, length, isLast: false };
      if (length === slab.byteLength) slab = slab.transfer(Math.min(slab.byteLength * 8, partBytes));
      const count = await source.read(Buffer.from(slab, length));
      if (count === 0) return { slab, length, isLast: true };
      length += count;
    }
  };

  async function put(key: string, part: Part, stream: ThreadStream, accept: Accept): Promise<WrittenBytes> {
    const { slab, sha256 } = await stream.append(part.slab, part.length);
    const written = { size: part.length, sha256 };
    accept?.(written);
    const Body = s3.signedBy(sha256, Buffer.from(slab, 0, part.length));
    const command = new PutObjectCommand({ Bucket: s3.place.bucket, Key: key, Body, Metadata: newVersion() });
    await s3.ask((client, abortSignal) => client.send(command, { abortSignal }), 'transfer');
    giveBack(slab);
    return written;
  }

  async function putInParts(
    key: string,
    source: ByteReader,
    { first, stream, accept }: { readonly first: Part; readonly stream: ThreadStream; readonly accept: Accept },
  ): Promise<WrittenBytes> {
    let written: WrittenBytes = { size: 0, sha256: '' };
    await inParts(s3, key, async (upload) => {
      const sent: Promise<CompletedPart>[] = [];
      const failed = new AbortController();
      let size = 0;
      try {
        for (let part = first; ; part = await fill(source, false)) {
          size += part.length;
          const { slab, sha256 } = await stream.append(part.slab, part.length);
          // One part is on its way while the next one arrives.
          await sent.at(-1);
          if (sent.length === mostParts) throw new StorageFull(new Error(`An object has at most ${mostParts} parts`));
          const Body = s3.signedBy(sha256, Buffer.from(slab, 0, part.length));
          const sending = sendPart(s3, { ...upload, PartNumber: sent.length + 1, Body }, failed.signal);
          sending.then(() => giveBack(slab)).catch(() => {});
          sent.push(sending);
          if (part.isLast) break;
        }
        const parts = await Promise.all(sent);
        written = { size, sha256: (await stream.digests()).sha256 };
        accept?.(written);
        return parts;
      } catch (error) {
        failed.abort();
        // A part that arrives after the others were removed would stay.
        await Promise.allSettled(sent);
        throw error;
      }
    });
    return written;
  }

  return {
    async write(key, source, accept) {
      const first = await fill(source, true);
      // The only part is hashed once.
      using stream = threads.stream({ each: true, algorithms: first.isLast ? [] : ['sha256'] });
      return first.isLast
        ? await put(key, first, stream, accept)
        : await putInParts(key, source, { first, stream, accept });
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}

interface Part {
  readonly slab: ArrayBuffer;
  readonly length: number;
  /** True at the end of the source. */
  readonly isLast: boolean;
}

/** Stored with an object, so that two objects of equal bytes can be told apart. */
const newVersion = (): Record<string, string> => ({ version: randomUUID() });

/** Names an upload in parts in each request that belongs to it. */
interface MultipartUpload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
}

/**
 * Makes an object of the parts that `send` sends: whole or not at all. `send` has ended all its requests when it ends.
 * Parts that cannot be removed are left to the sweep.
 */
async function inParts(
  { ask, place }: S3,
  key: string,
  send: (upload: MultipartUpload) => Promise<CompletedPart[]>,
): Promise<void> {
  const target = { Bucket: place.bucket, Key: key };
  const create = new CreateMultipartUploadCommand({ ...target, Metadata: newVersion() });
  const { UploadId } = await ask((client, abortSignal) => client.send(create, { abortSignal }));
  const upload = { ...target, UploadId };
  try {
    const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: await send(upload) } });
    await ask((client, abortSignal) => client.send(complete, { abortSignal }), 'transfer');
  } catch (error) {
    const abort = new AbortMultipartUploadCommand(upload);
    await ask((client, abortSignal) => client.send(abort, { abortSignal })).catch(() => {});
    throw error;
  }
}

async function sendPart(s3: S3, part: UploadPartCommandInput, failed: AbortSignal): Promise<CompletedPart> {
  for (let tries = 1; ; tries += 1)
    try {
      const command = new UploadPartCommand(part);
      const { ETag } = await s3.ask((client, abortSignal) => client.send(command, { abortSignal }), 'transfer');
      return { PartNumber: part.PartNumber, ETag };
    } catch (error) {
      if (!(error instanceof BlobsUnavailable) || tries === mostTries || failed.aborted) throw error;
      await Promise.race([s3.untilBack(longestOutage), once(failed, 'abort')]);
      if (failed.aborted) throw error;
    }
}

/** The S3 API copies no larger object at once. */
const largestAtOnce = 5 * 1024 ** 3;
const partOfCopy = 1024 ** 3;

interface Copy {
  readonly from: string;
  readonly to: string;
  readonly size: number;
  readonly etag: string;
}

/**
 * Copies an object within the store, with a version of its own.
 * @throws {S3ServiceException} with status 412 if another object is at `from`.
 */
export async function copyObject(s3: S3, { from, to, size, etag }: Copy): Promise<void> {
  const source = { CopySource: encodeURI(`${s3.place.bucket}/${from}`), CopySourceIfMatch: etag };
  if (size <= largestAtOnce) {
    const target = { Bucket: s3.place.bucket, Key: to, MetadataDirective: 'REPLACE', Metadata: newVersion() } as const;
    const command = new CopyObjectCommand({ ...source, ...target });
    await s3.ask((client, abortSignal) => client.send(command, { abortSignal }), 'transfer');
    return;
  }
  await inParts(s3, to, async (upload) => {
    const parts: CompletedPart[] = [];
    for (let start = 0; start < size; start += partOfCopy) {
      const PartNumber = parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + partOfCopy, size) - 1}`;
      const command = new UploadPartCopyCommand({ ...upload, ...source, PartNumber, CopySourceRange });
      const { CopyPartResult } = await s3.ask(
        (client, abortSignal) => client.send(command, { abortSignal }),
        'transfer',
      );
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    return parts;
  });
}
