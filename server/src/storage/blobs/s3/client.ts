import { S3Client, type ServiceInputTypes, type ServiceOutputTypes, S3ServiceException } from '@aws-sdk/client-s3';
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { seconds } from '../../../lib/clock.ts';
import { BlobsUnavailable, StorageFull } from '../blobs.ts';

/** The SDK of AWS finds the credentials in its usual variables and files. */
export interface S3Place {
  readonly bucket: string;
  /** Empty, or the start of every key, which ends with a slash. */
  readonly prefix: string;
  /** Null for AWS itself. */
  readonly endpoint: string | null;
  readonly region: string;
}

/** A request is given up when the first byte of its response takes longer. */
const longestRequest = seconds(5);
/** A part may be sent over a slow line. */
export const longestTransfer = seconds(120);
/** Each download holds a connection while it runs. */
const mostConnections = 512;

export type S3 = ReturnType<typeof connectS3>;

type Command<I extends ServiceInputTypes, O extends ServiceOutputTypes> = Parameters<
  typeof S3Client.prototype.send<I, O>
>[0];

export function connectS3({ bucket, region, endpoint }: S3Place) {
  const agents = { keepAlive: true, maxSockets: mostConnections };
  const client = new S3Client({
    region,
    ...(endpoint !== null && { endpoint }),
    // Not every store has a name for each bucket.
    forcePathStyle: true,
    // Other checksums than the signature's SHA-256 are refused by some stores, and cost time.
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
      // Without this header, the SDK hashes the body in this thread.
      if (sha256 !== undefined)
        (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
      return next(args);
    },
    { step: 'build', name: 'known-digest' },
  );
  return {
    bucket,
    client,
    /**
     * Runs one request.
     * @throws {BlobsUnavailable} when the store cannot be reached, does not respond or cannot serve it now.
     * @throws {StorageFull} when the store has no space left.
     * @throws {S3ServiceException} for any other refusal, such as that of a missing object.
     */
    async send<I extends ServiceInputTypes, O extends ServiceOutputTypes>(
      command: Command<I, O>,
      longestMs = longestRequest,
    ): Promise<O> {
      const ended = new AbortController();
      const timer = setTimeout(() => ended.abort(), longestMs);
      try {
        return await client.send(command, { abortSignal: ended.signal });
      } catch (error) {
        throw asBlobError(error);
      } finally {
        clearTimeout(timer);
      }
    },
    /** Returns a body that its known digest signs: the store refuses other bytes. */
    signedBy(sha256: string, body: Buffer): Buffer {
      digests.set(body, sha256);
      return body;
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}

/** Returns the status of the store's response; undefined if there was none. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

/** As AWS, Ceph and MinIO call a bucket or a store without space. */
const fullNames: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientCapacity', 'XMinioStorageFull']);

/** Returns the error as it is if the store refused this request alone. */
function asBlobError(error: unknown): unknown {
  const status = statusOf(error);
  if (error instanceof S3ServiceException && (status === 507 || fullNames.has(error.name)))
    return new StorageFull(error);
  if (status !== undefined && status < 500 && status !== 403 && status !== 429) return error;
  return new BlobsUnavailable('The S3 store does not respond or cannot serve a request', error);
}
