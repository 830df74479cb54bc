import { GetObjectCommand, HeadObjectCommand, type HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { readerOf } from '../../../lib/byte-reader.ts';
import { seconds } from '../../../lib/clock.ts';
import { type BlobId, BlobMissing, type BlobReader, BlobsUnavailable, BlobUnreadable } from '../blobs.ts';
import { ifMissing, type S3, statusOf } from './client.ts';

/** @throws {BlobMissing} */
export async function readFacts({ send, bucket }: S3, id: BlobId, key: string) {
  const asked = send(new HeadObjectCommand({ Bucket: bucket, Key: key })).catch(ifMissing(null));
  const found = await asked.catch((error: unknown) => {
    throw readError(id, error);
  });
  if (!found) throw new BlobMissing(id);
  return { size: found.ContentLength ?? 0, version: versionOf(found) };
}

/** Such as that of an object which was moved to an archive. */
const readError = (id: BlobId, error: unknown): unknown =>
  error instanceof BlobsUnavailable ? error : new BlobUnreadable(`The bytes of blob ${id}`, error);

const versionOf = ({ Metadata }: Pick<HeadObjectCommandOutput, 'Metadata'>) => Metadata?.['version'] ?? '';

/** A store may close a connection that a slow client holds. */
const mostResumes = 3;
const longestPause = seconds(10);

/** @throws {BlobMissing} */
export async function openObject(s3: S3, id: BlobId, key: string, start: number, end: number): Promise<BlobReader> {
  /** Null if the object ends before the range, or is another one. */
  const request = async (from: number, etag?: string) => {
    if (end < from) return null;
    const Range = `bytes=${from}-${end}`;
    try {
      const found = await s3.send(new GetObjectCommand({ Bucket: s3.bucket, Key: key, Range, IfMatch: etag }));
      const body = found.Body as Readable;
      body.on('error', () => {});
      // A store that knows no ranges sends everything.
      if (!(found.ContentRange?.startsWith(`bytes ${from}-`) ?? from === 0)) {
        body.destroy();
        throw new BlobsUnavailable('The S3 store did not send the range that it was asked for');
      }
      const size = Number(found.ContentRange?.split('/')[1] ?? found.ContentLength ?? 0);
      return { body, rest: readerOf(body), size, version: versionOf(found), etag: found.ETag ?? '' };
    } catch (error) {
      if (statusOf(error) === 404) throw new BlobMissing(id, error);
      if (statusOf(error) === 416 || statusOf(error) === 412) return null;
      throw readError(id, error);
    }
  };
  let response = await request(start);
  const { size, version } = response ?? (await readFacts(s3, id, key));
  let position = start;
  return {
    size,
    version,
    async read(into) {
      if (position > end) return 0;
      for (let resumes = 0; response; resumes += 1) {
        const { body, rest, etag } = response;
        const timer = setTimeout(() => body.destroy(new Error('It brings nothing')), longestPause);
        try {
          const count = await rest.read(into.subarray(0, end - position + 1));
          if (count === 0) break;
          position += count;
          return count;
        } catch (error) {
          if (resumes === mostResumes) throw new BlobsUnavailable('The S3 store broke off a response', error);
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
