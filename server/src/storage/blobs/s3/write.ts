import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type UploadPartCommandInput,
} from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { ByteReader } from '../../../lib/byte-reader.ts';
import { seconds } from '../../../lib/clock.ts';
import { type BlobStore, BlobsUnavailable, StorageFull, type WrittenBytes } from '../blobs.ts';
import { type Filled, fillSlab } from '../fill-slab.ts';
import { openWriteThreads, type ThreadStream } from '../write-threads.ts';
import { longestWork, type S3, transferTime } from './client.ts';
import { deadline } from './liveness.ts';

/** The least that the S3 API allows. Some stores insist on one size for every part but the last. */
export const partBytes = 5 * 1024 * 1024;
const mostParts = 10_000;
const firstBytes = 64 * 1024;
const pause = seconds(1);

export function openObjectWriter(s3: S3) {
  const threads = openWriteThreads(1);
  return {
    async write(key: string, source: ByteReader, accept: Accept = () => {}, gone?: AbortSignal): Promise<WrittenBytes> {
      const first = await fillWhole(source);
      using stream = threads.stream({ each: true, algorithms: first.isLast ? [] : ['sha256'] });
      if (!first.isLast) return await putInParts(s3, key, { first, source, stream, accept, gone });
      const { sha256, Body } = await hashed(s3, stream, first);
      const written = { size: first.length, sha256 };
      accept(written);
      const command = new PutObjectCommand({ Bucket: s3.bucket, Key: key, Metadata: newVersion(), Body });
      await s3.send(command, transferTime(first.length), gone);
      return written;
    },
    threads,
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}

type Accept = NonNullable<Parameters<BlobStore['write']>[2]>;

export const newVersion = () => ({ version: randomUUID() });

/** A small or slow upload does not hold a whole slab. */
export const fillPart = (source: ByteReader, slab = new ArrayBuffer(firstBytes)): Promise<Filled> =>
  fillSlab(source, slab, partBytes);

async function fillWhole(source: ByteReader, slab?: ArrayBuffer): Promise<Filled> {
  const part = await fillPart(source, slab);
  if (part.failure) throw part.failure.error;
  return part;
}

async function hashed(s3: S3, stream: ThreadStream, part: Filled) {
  const { slab, sha256 } = await stream.append(part.slab, part.length);
  return { slab, sha256, Body: s3.signedBy(sha256, Buffer.from(slab, 0, part.length)) };
}

interface InParts {
  readonly first: Filled;
  readonly source: ByteReader;
  readonly stream: ThreadStream;
  readonly accept: Accept;
  readonly gone: AbortSignal | undefined;
}

async function putInParts(
  s3: S3,
  key: string,
  { first, source, stream, accept, gone }: InParts,
): Promise<WrittenBytes> {
  const target = { Bucket: s3.bucket, Key: key };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...target, Metadata: newVersion() }));
  const upload = { ...target, UploadId };
  const sent: Promise<CompletedPart>[] = [];
  // One is filled while the other is sent.
  let spare: ArrayBuffer | undefined;
  let busy: ArrayBuffer | undefined;
  const failed = new AbortController();
  const ends = AbortSignal.any([failed.signal, ...(gone ? [gone] : [])]);
  let size = 0;
  try {
    for (let part = first; ; part = await fillWhole(source, spare)) {
      size += part.length;
      const { slab, Body } = await hashed(s3, stream, part);
      await sent.at(-1);
      [spare, busy] = [busy, slab];
      if (sent.length === mostParts) throw new StorageFull(new Error(`An object has at most ${mostParts} parts`));
      const sending = sendPart(s3, { ...upload, PartNumber: sent.length + 1, Body }, ends);
      sending.catch(() => {});
      sent.push(sending);
      if (part.isLast) break;
    }
    const MultipartUpload = { Parts: await Promise.all(sent) };
    const written = { size, sha256: (await stream.digests()).sha256 };
    accept(written);
    await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }), longestWork, gone);
    // Those of several uploads would add up until the garbage is collected.
    for (const slab of [spare, busy]) slab?.transfer(0);
    return written;
  } catch (error) {
    failed.abort();
    // A part that arrives after the others were removed would stay.
    await Promise.allSettled(sent);
    await s3.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
}

/** The store may restart meanwhile. */
export async function sendPart(s3: S3, part: UploadPartCommandInput, failed?: AbortSignal): Promise<CompletedPart> {
  using late = deadline(longestWork);
  const signal = failed ? AbortSignal.any([failed, late.signal]) : late.signal;
  for (;;)
    try {
      const { ETag } = await s3.send(new UploadPartCommand(part), longestWork, signal);
      return { PartNumber: part.PartNumber, ETag };
    } catch (error) {
      if (!(error instanceof BlobsUnavailable)) throw error;
      await wait(pause, undefined, { signal }).catch(() => {
        throw error;
      });
    }
}
