import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { readerOf } from '../../../lib/byte-reader.ts';
import { seconds } from '../../../lib/clock.ts';
import { type BlobId, BlobMissing, type BlobReader, BlobsUnavailable } from '../blobs.ts';
import { type S3, statusOf } from './client.ts';

/** @throws {BlobMissing} */
export async function factsOf({ send, bucket }: S3, id: BlobId, key: string) {
  try {
    const found = await send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return { size: found.ContentLength ?? 0, version: found.Metadata?.['version'] ?? '' };
  } catch (error) {
    throw statusOf(error) === 404 ? new BlobMissing(id, error) : error;
  }
}

/** A store may close a connection that a slow client holds. */
const mostResumes = 3;
const longestPause = seconds(10);

interface Range {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** @throws {BlobMissing} */
export async function openObject(s3: S3, id: BlobId, { key, start, end }: Range): Promise<BlobReader> {
  /** Null if the object ends before the range, or is another one. */
  const request = async (from: number, etag?: string) => {
    if (end < from) return null;
    const Range = `bytes=${from}-${end}`;
    try {
      const found = await s3.send(new GetObjectCommand({ Bucket: s3.bucket, Key: key, Range, IfMatch: etag }));
      const body = found.Body as Readable;
      body.on('error', () => {});
      const size = Number(found.ContentRange?.split('/')[1] ?? found.ContentLength ?? 0);
      return { body, rest: readerOf(body), size, version: found.Metadata?.['version'] ?? '', etag: found.ETag ?? '' };
    } catch (error) {
      if (statusOf(error) === 404) throw new BlobMissing(id, error);
      if (statusOf(error) === 416 || statusOf(error) === 412) return null;
      throw error;
    }
  };
  let response = await request(start);
  const { size, version } = response ?? (await factsOf(s3, id, key));
  let position = start;
  let resumes = 0;
  return {
    size,
    version,
    async read(into) {
      if (position > end) return 0;
      while (response) {
        const { body, rest, etag } = response;
        const timer = setTimeout(() => body.destroy(new Error('It brings nothing')), longestPause);
        try {
          const count = await rest.read(into.subarray(0, end - position + 1));
          if (count === 0) break;
          position += count;
          resumes = 0;
          return count;
        } catch (error) {
          resumes += 1;
          if (resumes > mostResumes) throw new BlobsUnavailable('The S3 store broke off a response', error);
          response = await request(position, etag);
        } finally {
          clearTimeout(timer);
        }
      }
      throw new BlobMissing(id);
    },
    async [Symbol.asyncDispose]() {
      response?.body.destroy();
    },
  };
}
