import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { type BlobId, BlobMissing, type BlobReader, BlobsUnavailable } from '../blobs.ts';
import { seconds } from '../../../lib/clock.ts';
import { isMissing, type S3, statusOf } from './client.ts';

export interface ObjectFacts {
  readonly size: number;
  readonly version: string;
  readonly etag: string;
}

/** @throws {BlobMissing} */
export async function factsOf({ ask, place }: S3, key: string, id: BlobId): Promise<ObjectFacts> {
  try {
    const found = await ask((client, abortSignal) =>
      client.send(new HeadObjectCommand({ Bucket: place.bucket, Key: key }), { abortSignal }),
    );
    return {
      size: found.ContentLength ?? 0,
      version: found.Metadata?.['version'] ?? '',
      etag: found.ETag ?? '',
    };
  } catch (error) {
    throw isMissing(error) ? new BlobMissing(id, error) : error;
  }
}

interface Range {
  readonly id: BlobId;
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

interface Opened extends ObjectFacts {
  readonly body: Readable;
}

/** A store may close a connection that a slow client makes it keep for long. Then the rest is requested again. */
const mostResumes = 3;
const longestPause = seconds(10);

/** @throws {BlobMissing}, {BlobsUnavailable} */
export async function openObject(s3: S3, range: Range): Promise<BlobReader> {
  const { id, end } = range;
  const opened = await request(s3, range);
  if (opened === null) return emptyReader(id, range, await factsOf(s3, range.key, id));
  const { size, version, etag } = opened;
  let body = opened.body;
  let position = range.start;
  let resumes = 0;
  return {
    size,
    version,
    async read(into) {
      if (position > end) return 0;
      for (;;)
        try {
          const count = await readFrom(body, into.subarray(0, end - position + 1));
          if (count === 0) throw new BlobMissing(id);
          position += count;
          resumes = 0;
          return count;
        } catch (error) {
          if (error instanceof BlobMissing || resumes === mostResumes) throw error;
          resumes += 1;
          const again = await request(s3, { ...range, start: position }, etag);
          // The object was replaced by another one in the meantime.
          if (again === null) throw new BlobMissing(id, error);
          body = again.body;
        }
    },
    async [Symbol.asyncDispose]() {
      body.destroy();
    },
  };
}

/** Returns null if the object ends before the range begins, or is not the one that is expected. */
async function request({ ask, place }: S3, { id, key, start, end }: Range, etag?: string): Promise<Opened | null> {
  if (end < start) return null;
  const command = new GetObjectCommand({
    Bucket: place.bucket,
    Key: key,
    Range: `bytes=${start}-${end}`,
    ...(etag !== undefined && { IfMatch: etag }),
  });
  try {
    const found = await ask((client, abortSignal) => client.send(command, { abortSignal }));
    const body = found.Body as Readable;
    // Nobody may be reading when the connection breaks.
    body.on('error', () => {});
    const [, total] = /\/(\d+)$/.exec(found.ContentRange ?? '') ?? [];
    const size = Number(total ?? found.ContentLength ?? 0);
    return { body, size, version: found.Metadata?.['version'] ?? '', etag: found.ETag ?? '' };
  } catch (error) {
    if (isMissing(error)) throw new BlobMissing(id, error);
    // 416: the range begins behind the end. 412: another object is there now.
    if (statusOf(error) === 416 || statusOf(error) === 412) return null;
    throw error;
  }
}

function emptyReader(id: BlobId, { start, end }: Range, { size, version }: ObjectFacts): BlobReader {
  return {
    size,
    version,
    async read() {
      if (end >= start) throw new BlobMissing(id);
      return 0;
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Reads the next bytes of a stream, at most as many as fit; 0 at its end. */
async function readFrom(body: Readable, into: Uint8Array): Promise<number> {
  for (;;) {
    const available = Math.min(into.length, body.readableLength);
    const chunk = available > 0 ? (body.read(available) as Buffer | null) : null;
    if (chunk) {
      into.set(chunk);
      return chunk.length;
    }
    if (body.readableEnded) return 0;
    if (body.destroyed) throw new BlobsUnavailable('The S3 store broke off a response', body.errored);
    body.read(0);
    await changeOf(body);
  }
}

/** Waits for more bytes or the end of a stream; one that brings nothing for a long time is destroyed. */
function changeOf(body: Readable): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => body.destroy(), longestPause);
    const end = () => {
      clearTimeout(timer);
      body.off('readable', end).off('end', end).off('close', end);
      resolve();
    };
    body.on('readable', end).on('end', end).on('close', end);
  });
}
