import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { days, seconds } from '../../../lib/clock.ts';
import { createLru } from '../../../lib/lru.ts';
import {
  type BlobId,
  BlobMissing,
  BlobsNotRemoved,
  BlobsUnavailable,
  type BlobStore,
  type LinkHeaders,
} from '../blobs.ts';
import { connectS3, ifMissing, longestWork, type S3, type S3Place, statusOf } from './client.ts';
import { openObject, readFacts } from './read.ts';
import { openUnfinishedObjects } from './unfinished.ts';
import { openObjectWriter } from './write.ts';

/** No store accepts a signature that lasts longer. */
const longestLink = days(7);
const mostLinks = 10_000;

export async function openS3Blobs(place: S3Place): Promise<BlobStore> {
  await using opened = new AsyncDisposableStack();
  const s3 = opened.use(connectS3(place));
  await requireBucket(s3, place);
  const writer = opened.use(openObjectWriter(s3));
  const closing = opened.move();
  const Bucket = place.bucket;
  const keyIn = (folder: string, name: string) => `${place.prefix}${folder}/${name}`;
  const keyOf = (id: BlobId) => keyIn('blobs', id);
  const serviceKey = `${place.prefix}service-id`;
  const remove = (Key: string) => s3.send(new DeleteObjectCommand({ Bucket, Key }));
  const putText = (Key: string, Body: string, condition?: { readonly IfNoneMatch: '*' }) =>
    s3.send(new PutObjectCommand({ Bucket, Key, Body, ...condition }));
  const open = (id: BlobId, start: number, end: number) => openObject(s3, id, keyOf(id), start, end);
  const factsOf = (id: BlobId) => readFacts(s3, id, keyOf(id));
  const readServiceId = async (): Promise<string | null> => {
    const found = await s3.send(new GetObjectCommand({ Bucket, Key: serviceKey })).catch(ifMissing(null));
    return (await found?.Body?.transformToString())?.trim() ?? null;
  };
  /** The S3 API copies no more than 5 GB at once. */
  const copy = async (from: BlobId, to: string) => {
    const { size, version } = await factsOf(from);
    await using reader = await open(from, 0, size - 1);
    if (reader.version !== version) throw new BlobMissing(from);
    await writer.write(to, reader);
  };
  const sign = (id: BlobId, lasts: number, shown: Partial<LinkHeaders>) => {
    const command = new GetObjectCommand({
      Bucket,
      Key: keyOf(id),
      ResponseContentType: shown.contentType,
      ResponseContentDisposition: shown.contentDisposition,
      ResponseCacheControl: shown.cacheControl,
    });
    return getSignedUrl(s3.client, command, { expiresIn: Math.ceil(Math.min(lasts, longestLink) / seconds(1)) });
  };
  // Signing takes a quarter of a millisecond.
  const links = createLru<string, { readonly url: string; readonly endsAt: number }>(mostLinks);
  const linkForCache = async (id: BlobId, lasts: number, kept: number): Promise<URL> => {
    const cacheControl = `max-age=${Math.round(kept / seconds(1))}`;
    const known = links.get(id + cacheControl);
    if (known && known.endsAt - performance.now() >= lasts) return new URL(known.url);
    const endsAt = performance.now() + Math.min(2 * lasts, longestLink);
    const url = await sign(id, 2 * lasts, { cacheControl });
    links.set(id + cacheControl, { url, endsAt });
    return new URL(url);
  };

  return {
    async write(id, source, accept, gone) {
      try {
        return await writer.write(keyOf(id), source, accept, gone);
      } catch (error) {
        // Without an answer, the object may be there. One that was accepted belongs there.
        if (error instanceof BlobsUnavailable && !accept) await remove(keyOf(id)).catch(() => {});
        gone?.throwIfAborted();
        throw error;
      }
    },
    open,
    size: async (id) => (await factsOf(id)).size,
    async replace(from, to) {
      await copy(from, keyOf(to));
      await remove(keyOf(from));
    },
    async setAside(id, version) {
      const isThere = () => factsOf(id).then((found) => found.version === version, unlessMissing);
      const aside = keyIn('damaged', `${id}.${randomUUID()}`);
      if (!(await isThere()) || (await copy(id, aside).catch(unlessMissing)) === false) return null;
      // The S3 API has no condition for a deletion.
      if (!(await isThere())) return (await remove(aside), null);
      await remove(keyOf(id));
      return `s3://${Bucket}/${aside}`;
    },
    async remove(...ids) {
      const [first, ...others] = ids.map(keyOf);
      if (first === undefined) return;
      if (others.length === 0) return void (await remove(first));
      const Delete = { Objects: [first, ...others].map((Key) => ({ Key })), Quiet: true };
      const { Errors } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete }), longestWork);
      const failures = new Map(Errors?.map(({ Key, Message }) => [Key, Message]));
      const failed = ids.filter((id) => failures.has(keyOf(id)));
      if (failed.length > 0) throw new BlobsNotRemoved(new Map(failed.map((id) => [id, failures.get(keyOf(id))])));
    },
    pathOf: keyOf,
    link: async (id, lasts, headers) => new URL(await sign(id, lasts, headers)),
    linkForCache,
    async *list(after) {
      const Prefix = keyIn('blobs', '');
      for (let StartAfter: string | undefined = Prefix + (after ?? ''); StartAfter !== undefined;) {
        const command = new ListObjectsV2Command({ Bucket, Prefix, StartAfter });
        const page: ListObjectsV2CommandOutput = await s3.send(command);
        for (const { Key = '', Size: size = 0, LastModified } of page.Contents ?? []) {
          const id = Key.slice(Prefix.length) as BlobId;
          if (/^[0-9a-f]{32}$/.test(id)) yield { id, size, storedAt: LastModified?.getTime() ?? 0 };
        }
        StartAfter = page.IsTruncated === true ? page.Contents?.at(-1)?.Key : undefined;
      }
    },
    unfinished: openUnfinishedObjects({
      s3,
      threads: writer.threads,
      keyOf,
      tailKeyOf: (id, size) => keyIn('tails', `${id}-${size}`),
      open,
    }),
    async sweepUnfinished(before, isKept) {
      const isOfKept: IsKept = async (key) => {
        const [id] = /[0-9a-f]{32}(?=$|-)/.exec(key.split('/').at(-1) ?? '') ?? [];
        return id !== undefined && (await isKept?.(id as BlobId)) === true;
      };
      let swept = await sweepTails(s3, keyIn('tails', ''), before, isOfKept);
      for (const folder of ['blobs', 'damaged']) swept += await sweepUploads(s3, keyIn(folder, ''), before, isOfKept);
      return swept;
    },
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
    // Nothing is mounted in the place of a bucket.
    markVersion: () => '',
    holds: () => true,
    async claimFor(id) {
      await putText(serviceKey, `${id}\n`, { IfNoneMatch: '*' }).catch(async (error: unknown) => {
        const status = statusOf(error);
        // 412: there is one. 409: another one is being written. 501: the store knows no conditions.
        if (status === 501) await putText(serviceKey, `${id}\n`);
        else if (status !== 412 && status !== 409) throw error;
      });
      return (await readServiceId()) ?? id;
    },
    markService: async (id) => void (await putText(serviceKey, `${id}\n`)),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

function unlessMissing(error: unknown): false {
  if (error instanceof BlobMissing) return false;
  throw error;
}

type IsKept = (key: string) => Promise<boolean>;

async function sweepTails({ send, bucket: Bucket }: S3, Prefix: string, before: number, isKept: IsKept) {
  let swept = 0;
  for (let StartAfter: string | undefined = Prefix; StartAfter !== undefined;) {
    const page: ListObjectsV2CommandOutput = await send(new ListObjectsV2Command({ Bucket, Prefix, StartAfter }));
    for (const { Key = '', LastModified } of page.Contents ?? []) {
      if (!LastModified || LastModified.getTime() >= before || (await isKept(Key))) continue;
      await send(new DeleteObjectCommand({ Bucket, Key }));
      swept += 1;
    }
    StartAfter = page.IsTruncated === true ? page.Contents?.at(-1)?.Key : undefined;
  }
  return swept;
}

async function sweepUploads({ send, bucket: Bucket }: S3, Prefix: string, before: number, isKept: IsKept) {
  let swept = 0;
  for (let after: { KeyMarker?: string; UploadIdMarker?: string | undefined } | null = {}; after;) {
    const list = new ListMultipartUploadsCommand({ Bucket, Prefix, ...after });
    const page: ListMultipartUploadsCommandOutput = await send(list);
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || Initiated.getTime() >= before || (await isKept(Key ?? ''))) continue;
      swept += 1;
      await send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(ifMissing(null));
    }
    const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    after = IsTruncated === true && KeyMarker ? { KeyMarker, UploadIdMarker } : null;
  }
  return swept;
}

/** What would otherwise fail with the first upload fails the start. */
async function requireBucket({ client }: S3, place: S3Place): Promise<void> {
  const command = new ListObjectsV2Command({ Bucket: place.bucket, Prefix: place.prefix, MaxKeys: 1 });
  for (let tries = 1; ; tries += 1)
    try {
      return void (await client.send(command, { abortSignal: AbortSignal.timeout(seconds(2)) }));
    } catch (error) {
      if (error instanceof S3ServiceException || tries === 2) throw new Error(reasonOf(error, place), { cause: error });
      await wait(seconds(1));
    }
}

function reasonOf(cause: unknown, { bucket, endpoint }: S3Place): string {
  const where = endpoint ?? 'AWS';
  const { name, message } = cause as Error;
  const status = statusOf(cause);
  if (name === 'CredentialsProviderError')
    return 'there are no credentials for the S3 store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source of the AWS SDK';
  if (status === undefined) return `the S3 store at ${where} does not respond: ${message}`;
  if (name === 'NoSuchBucket') return `there is no bucket '${bucket}' at ${where}`;
  if (status === 403) return `${where} refuses these credentials for the bucket '${bucket}' (${name})`;
  if (status === 301 || status === 400)
    return `${where} refuses the request (${name}), perhaps because the bucket '${bucket}' is in another region`;
  return `${where} answers ${name} (${status}) for the bucket '${bucket}'`;
}
