/** A real S3 server (Ceph's radosgw) for the tests of a file, and stores on it. */
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { BlobId } from '../../src/storage/blobs/blobs.ts';
import { openS3Blobs } from '../../src/storage/blobs/s3/store.ts';
import type { SharedEngine } from '../../src/storage/blobs/unfinished-conformance.ts';
import { type RgwServer, startRgw } from '@holdfast/test-support/start-rgw.ts';

export const bucket = 'holdfast';
/** Has room for ten megabytes. */
export const smallBucket = 'holdfast-small';
const region = 'us-east-1';
export let rgw: RgwServer;
export let client: S3Client;

beforeAll(async () => {
  rgw = await startRgw();
  // As an operator sets them.
  Object.assign(process.env, rgw.credentials);
  client = new S3Client({
    region,
    endpoint: rgw.endpoint,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  for (const name of [bucket, smallBucket]) await client.send(new CreateBucketCommand({ Bucket: name }));
}, 120_000);
afterAll(async () => {
  client.destroy();
  await rgw[Symbol.asyncDispose]();
});

export interface TestEngine extends SharedEngine {
  readonly prefix: string;
  readonly keyOf: (id: BlobId) => string;
}

interface Where {
  readonly bucket: string;
  readonly endpoint: string;
}

export async function openEngine(where: Partial<Where> = {}): Promise<TestEngine> {
  await using opened = new AsyncDisposableStack();
  const prefix = `${randomUUID()}/`;
  const place = { bucket, prefix, endpoint: rgw.endpoint, region, ...where };
  const blobs = opened.use(await openS3Blobs(place));
  const keyOf = (id: BlobId) => `${prefix}blobs/${id}`;
  const closing = opened.move();
  return {
    prefix,
    keyOf,
    blobs,
    openAgain: () => openS3Blobs(place),
    async stored() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: place.bucket, Prefix: prefix }));
      return Contents.map(({ Key = '' }) => Key.split('/').at(-1) ?? '').filter((name) => name !== 'service-id');
    },
    async shorten(id, size) {
      const at = { Bucket: place.bucket, Key: keyOf(id) };
      const { Body, Metadata } = await client.send(new GetObjectCommand(at));
      const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
      await client.send(new PutObjectCommand({ ...at, Body: bytes.subarray(0, size), Metadata }));
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Returns the number of uploads in parts that are neither complete nor removed. */
export async function partsOf({ prefix }: TestEngine): Promise<number> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }));
  return Uploads.length;
}
