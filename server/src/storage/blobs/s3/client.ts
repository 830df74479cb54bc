import {
  HeadBucketCommand,
  S3Client,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { seconds } from '../../../lib/clock.ts';
import { BlobsUnavailable, StorageFull } from '../blobs.ts';
import { createLiveness } from './liveness.ts';

export interface S3Place {
  readonly bucket: string;
  readonly prefix: string;
  readonly endpoint: string | null;
  readonly region: string;
}

const longestRequest = seconds(5);
/** Of what may take a store longer, and of an upload that waits for its store. */
export const longestWork = seconds(30);
const leastBytesPerSecond = 256 * 1024;
export const transferTime = (bytes: number): number => longestRequest + seconds(bytes / leastBytesPerSecond);
const mostConnections = 512;

export type S3 = ReturnType<typeof connectS3>;

export function connectS3({ bucket, region, endpoint }: S3Place) {
  const agents = { keepAlive: true, maxSockets: mostConnections };
  const client = new S3Client({
    region,
    ...(endpoint !== null && { endpoint }),
    // Not every store has a name for each bucket.
    forcePathStyle: true,
    // Some stores refuse other checksums than the signature's SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: seconds(1),
      httpAgent: new Agent(agents),
      httpsAgent: new SecureAgent(agents),
    },
  });
  const digests = new WeakMap<object, string>();
  client.middlewareStack.add(
    (next) => (args) => {
      const { Body } = args.input as { Body?: unknown };
      const sha256 = Body instanceof Buffer ? digests.get(Body) : undefined;
      // Otherwise, the SDK hashes the body in this thread.
      if (sha256 !== undefined)
        (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
      return next(args);
    },
    { step: 'build', name: 'known-digest' },
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      liveness.heard();
      return result;
    },
    // Around each try: a response of any status shows that the store is there.
    { step: 'deserialize', name: 'liveness', priority: 'low' },
  );
  const liveness = createLiveness(async (abortSignal) => {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal });
  });
  return {
    bucket,
    client,
    send: async <I extends ServiceInputTypes, O extends ServiceOutputTypes>(
      command: Parameters<typeof client.send<I, O>>[0],
      longestMs = longestRequest,
      signal?: AbortSignal,
    ): Promise<O> => {
      try {
        return await liveness.call((abortSignal) => client.send(command, { abortSignal }), longestMs, signal);
      } catch (error) {
        throw asBlobError(error);
      }
    },
    signedBy(sha256: string, body: Buffer): Buffer {
      digests.set(body, sha256);
      return body;
    },
    [Symbol.dispose]() {
      liveness[Symbol.dispose]();
      client.destroy();
    },
  };
}

export const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

/** Returns `value` instead of the error of an object, or an upload, that does not exist. */
export function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (statusOf(error) === 404) return value;
    throw error;
  };
}

/** As AWS, Ceph and MinIO call a bucket or a store without space. */
const fullNames: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientCapacity', 'XMinioStorageFull']);

function asBlobError(error: unknown): unknown {
  const status = statusOf(error);
  if (error instanceof S3ServiceException && (status === 507 || fullNames.has(error.name)))
    return new StorageFull(error);
  const isOfOneObject = error instanceof S3ServiceException && error.name === 'InvalidObjectState';
  if (status !== undefined && status < 500 && (isOfOneObject || (status !== 403 && status !== 429))) return error;
  return new BlobsUnavailable('The S3 store does not respond or cannot serve a request', error);
}
