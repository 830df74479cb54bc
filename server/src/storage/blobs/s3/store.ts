import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { days, hours, seconds } from '../../../lib/clock.ts';
import { createLru } from '../../../lib/lru.ts';
import { type BlobId, BlobMissing, BlobsUnavailable, type BlobStore, type LinkHeaders } from '../blobs.ts';
import { connectS3, isMissing, type S3, type S3Place, statusOf } from './client.ts';
import { factsOf, openObject } from './read.ts';
import { copyObject, openObjectWriter } from './write.ts';

export interface S3Options {
  readonly log: Pick<Logger, 'warn'>;
  /** True for a server's own store, which removes unfinished writes every hour. */
  readonly sweepsItself?: boolean;
  /** For tests: the age of an unfinished write from which on it is swept. */
  readonly abandonedAfter?: number;
}

const sweepEvery = hours(1);
/** Uploads without progress are ended long before. */
const dayOld = days(1);
const longestStart = seconds(7);
/** No store accepts a signature that lasts longer. */
const longestLink = days(7);
/** About 5 MB. */
const mostLinks = 10_000;

/**
 * Stores blobs as objects of an S3 store: `blobs/ID` below the prefix. An object takes its place whole or not at all, and
 * is durable when the store has answered. A body that fits into one part is one request; a larger one is sent in parts,
 * while the next one arrives.
 */
export async function openS3Blobs(
  place: S3Place,
  { log, sweepsItself = true, abandonedAfter = dayOld }: S3Options,
): Promise<BlobStore> {
  await using opened = new AsyncDisposableStack();
  const s3 = opened.use(connectS3(place, log));
  await requireBucket(s3);
  const writer = opened.use(openObjectWriter(s3));
  const keyIn = (folder: string, name: string) => `${place.prefix}${folder}/${name}`;
  const keyOf = (id: BlobId) => keyIn('blobs', id);
  const serviceKey = `${place.prefix}service-id`;
  const remove = (key: string) =>
    s3.ask((client, abortSignal) =>
      client.send(new DeleteObjectCommand({ Bucket: place.bucket, Key: key }), { abortSignal }),
    );
  const putText = (key: string, text: string, condition?: { readonly IfNoneMatch: '*' }) =>
    s3.ask((client, abortSignal) =>
      client.send(new PutObjectCommand({ Bucket: place.bucket, Key: key, Body: text, ...condition }), { abortSignal }),
    );
  const readServiceId = async (): Promise<string | null> => {
    try {
      const found = await s3.ask((client, abortSignal) =>
        client.send(new GetObjectCommand({ Bucket: place.bucket, Key: serviceKey }), { abortSignal }),
      );
      return (await found.Body?.transformToString())?.trim() ?? null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const sign = (id: BlobId, lasts: number, headers?: LinkHeaders) => {
    const command = new GetObjectCommand({
      Bucket: place.bucket,
      Key: keyOf(id),
      ResponseContentType: headers?.contentType,
      ResponseContentDisposition: headers?.contentDisposition,
      ResponseCacheControl: headers?.cacheControl,
    });
    return getSignedUrl(s3.client, command, { expiresIn: Math.ceil(Math.min(lasts, longestLink) / seconds(1)) });
  };
  // Signing takes a quarter of a millisecond, so a signature lasts twice as long as asked and is used again.
  const links = createLru<BlobId, { readonly url: string; readonly endsAt: number }>(mostLinks);
  const plainLink = async (id: BlobId, lasts: number): Promise<string> => {
    const known = links.get(id);
    if (known && known.endsAt - performance.now() >= lasts) return known.url;
    const endsAt = performance.now() + Math.min(2 * lasts, longestLink);
    const url = await sign(id, 2 * lasts);
    links.set(id, { url, endsAt });
    return url;
  };
  const sweep = (dryRun: boolean) => sweepUnfinished(s3, Date.now() - abandonedAfter, dryRun);
  const sweeping = sweepsItself ? setInterval(() => void sweep(false).catch(() => 0), sweepEvery).unref() : undefined;
  opened.defer(() => clearInterval(sweeping));
  const closing = opened.move();

  return {
    async write(id, source, accept) {
      try {
        return await writer.write(keyOf(id), source, accept);
      } catch (error) {
        // If no answer came, the object may be there. One that was accepted belongs there, whatever became of the answer.
        if (error instanceof BlobsUnavailable && !accept) await remove(keyOf(id)).catch(() => {});
        throw error;
      }
    },
    open: (id, start, end) => openObject(s3, { id, key: keyOf(id), start, end }),
    size: async (id) => (await factsOf(s3, keyOf(id), id)).size,
    async replace(from, to) {
      const facts = await factsOf(s3, keyOf(from), from);
      await copyObject(s3, { from: keyOf(from), to: keyOf(to), ...facts });
      await remove(keyOf(from));
    },
    async setAside(id, version) {
      try {
        const facts = await factsOf(s3, keyOf(id), id);
        if (facts.version !== version) return null;
        // The same blob may be damaged more than once.
        const aside = keyIn('damaged', `${id}.${randomUUID()}`);
        await copyObject(s3, { from: keyOf(id), to: aside, ...facts });
        // The S3 API has no condition for a deletion, so this is the last moment to see other bytes there.
        if ((await factsOf(s3, keyOf(id), id)).version !== version) return (await remove(aside), null);
        await remove(keyOf(id));
        return `s3://${place.bucket}/${aside}`;
      } catch (error) {
        // 412: other bytes came to the place while it was copied.
        if (error instanceof BlobMissing || statusOf(error) === 412) return null;
        throw error;
      }
    },
    async remove(...ids) {
      const [first, ...others] = ids.map(keyOf);
      if (first === undefined) return;
      if (others.length === 0) await remove(first);
      else await removeTogether(s3, [first, ...others]);
    },
    pathOf: keyOf,
    async link(id, lasts, headers) {
      return new URL(await (headers ? sign(id, lasts, headers) : plainLink(id, lasts)));
    },
    async *list(after) {
      let last = keyIn('blobs', after ?? '');
      for (let isTruncated = true; isTruncated;) {
        const listing = new ListObjectsV2Command({
          Bucket: place.bucket,
          Prefix: keyIn('blobs', ''),
          StartAfter: last,
        });
        const page = await s3.ask((client, abortSignal) => client.send(listing, { abortSignal }));
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          last = Key;
          const name = Key.slice(keyIn('blobs', '').length);
          if (/^[0-9a-f]{32}$/.test(name))
            yield { id: name as BlobId, size: Size, storedAt: LastModified?.getTime() ?? 0 };
        }
        isTruncated = page.IsTruncated === true && (page.Contents?.length ?? 0) > 0;
      }
    },
    sweepUnfinished: ({ dryRun }) => sweep(dryRun),
    async probe() {
      const key = keyIn('probe', randomUUID());
      try {
        await putText(key, 'probe');
      } finally {
        await remove(key).catch(() => {});
      }
    },
    space: async () => null,
    serviceId: readServiceId,
    async claimFor(id) {
      try {
        await putText(serviceKey, `${id}\n`, { IfNoneMatch: '*' });
      } catch (error) {
        // 412: there is one. 409: another one is being written. 501: the store knows no conditions.
        const status = statusOf(error) ?? 0;
        if (status === 501) await putText(serviceKey, `${id}\n`);
        else if (status !== 412 && status !== 409) throw error;
      }
      return (await readServiceId()) ?? id;
    },
    async markService(id) {
      await putText(serviceKey, `${id}\n`);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** @throws {BlobsUnavailable} when some were not removed; all can be tried again. */
async function removeTogether({ ask, place }: S3, keys: readonly string[]): Promise<void> {
  const Objects = keys.map((Key) => ({ Key }));
  const removal = new DeleteObjectsCommand({ Bucket: place.bucket, Delete: { Objects, Quiet: true } });
  const { Errors = [] } = await ask((client, abortSignal) => client.send(removal, { abortSignal }), 'transfer');
  const [first] = Errors;
  if (first) throw new BlobsUnavailable(`The S3 store did not remove ${first.Key}: ${first.Code} ${first.Message}`);
}

/** Removes the parts of writes that began before a time, and returns how many writes there were. */
async function sweepUnfinished({ ask, place }: S3, before: number, dryRun: boolean): Promise<number> {
  let unfinished = 0;
  for (let [KeyMarker, UploadIdMarker] = ['', ''], isTruncated = true; isTruncated;) {
    const listing = new ListMultipartUploadsCommand({
      Bucket: place.bucket,
      Prefix: place.prefix,
      ...(KeyMarker && { KeyMarker, UploadIdMarker }),
    });
    const page = await ask((client, abortSignal) => client.send(listing, { abortSignal }));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || Initiated.getTime() >= before) continue;
      unfinished += 1;
      const abort = new AbortMultipartUploadCommand({ Bucket: place.bucket, Key, UploadId });
      if (!dryRun)
        await ask((client, abortSignal) => client.send(abort, { abortSignal })).catch((error: unknown) => {
          // Another process has removed it.
          if (!isMissing(error)) throw error;
        });
    }
    KeyMarker = page.NextKeyMarker ?? '';
    UploadIdMarker = page.NextUploadIdMarker ?? '';
    isTruncated = page.IsTruncated === true && KeyMarker !== '';
  }
  return unfinished;
}

/** Finds out at the start what would otherwise fail with the first upload. */
async function requireBucket(s3: S3): Promise<void> {
  const { place } = s3;
  const listing = new ListObjectsV2Command({ Bucket: place.bucket, Prefix: place.prefix, MaxKeys: 1 });
  const ask = () => s3.ask((client, abortSignal) => client.send(listing, { abortSignal }));
  try {
    await ask().catch(async (error: unknown) => {
      if (!(error instanceof BlobsUnavailable)) throw error;
      // It may be starting too.
      await s3.untilBack(longestStart);
      await ask();
    });
  } catch (error) {
    throw new Error(reasonOf(error, place), { cause: error });
  }
}

function reasonOf(error: unknown, { bucket, endpoint }: S3Place): string {
  const cause = error instanceof S3ServiceException ? error : (error as Error).cause;
  const where = endpoint ?? 'AWS';
  if (!(cause instanceof S3ServiceException)) {
    if ((cause as Error | undefined)?.name === 'CredentialsProviderError')
      return 'there are no credentials for the S3 store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source of the AWS SDK';
    const { message } = (cause ?? error) as Error;
    return `the S3 store at ${where} does not respond: ${message}`;
  }
  if (cause.name === 'NoSuchBucket') return `there is no bucket '${bucket}' at ${where}`;
  if (statusOf(cause) === 403) return `${where} refuses these credentials for the bucket '${bucket}' (${cause.name})`;
  if (statusOf(cause) === 301 || statusOf(cause) === 400)
    return `${where} refuses the request (${cause.name}), perhaps because the bucket '${bucket}' is in another region`;
  return `${where} answers ${cause.name} (${statusOf(cause)}) for the bucket '${bucket}'`;
}
