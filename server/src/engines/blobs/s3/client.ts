/** The connection to an S3 store: the SDK, its time limits, and what its errors mean. */
import { HeadBucketCommand, type HeadBucketCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Logger } from 'pino';
import { seconds } from '../../../lib/clock.ts';
import { asBlobError, isAnswered } from './errors.ts';
import { watchStore } from './watch.ts';

/** The bucket and prefix of the objects. The SDK of AWS finds the credentials in its usual variables and files. */
export interface S3Place {
  readonly bucket: string;
  /** Empty, or the start of every key, which ends with a slash. */
  readonly prefix: string;
  /** Null for AWS itself. */
  readonly endpoint: string | null;
  readonly region: string;
}

/** A request is given up when its first byte of a response takes longer. */
const longestRequest = seconds(10);
/** A part may be sent over a slow line, and a copy is made by the store before it answers. */
const longestTransfer = seconds(120);
/** Connections that are open at once. Each download holds one while it runs. */
const mostConnections = 512;

export interface S3 extends Disposable {
  readonly place: S3Place;
  /** For what needs no request. */
  readonly client: S3Client;
  /**
   * Runs one request.
   * @throws {BlobsUnavailable} when the store cannot be reached, does not respond or cannot serve it now.
   * @throws {StorageFull} when the store has no space left.
   * @throws {S3ServiceException} for any other refusal, such as that of a missing object.
   */
  readonly ask: <T>(
    request: (client: S3Client, abortSignal: AbortSignal) => Promise<T>,
    kind?: 'request' | 'transfer',
  ) => Promise<T>;
  /** Returns the body of a request that its known digest signs: the store refuses other bytes. */
  readonly signedBy: (sha256: string, body: Buffer) => Buffer;
  /** Resolves when the store responds again, or after `ms`. */
  readonly untilBack: (ms: number) => Promise<void>;
}

export function connectS3(place: S3Place, log: Pick<Logger, 'warn'>): S3 {
  const agents = { keepAlive: true, maxSockets: mostConnections };
  const client = new S3Client({
    region: place.region,
    ...(place.endpoint !== null && { endpoint: place.endpoint }),
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
  const probe = (abortSignal: AbortSignal) =>
    client.send(new HeadBucketCommand({ Bucket: place.bucket }), { abortSignal }).catch(aliveIfRefused);
  const watch = watchStore(probe, log);
  return {
    place,
    client,
    ask: (request, kind = 'request') =>
      watch
        .during(kind === 'transfer' ? longestTransfer : longestRequest, (signal) => request(client, signal))
        .catch((error: unknown) => {
          throw asBlobError(error);
        }),
    signedBy(sha256, body) {
      digests.set(body, sha256);
      return body;
    },
    untilBack: (ms) => watch.untilBack(ms),
    [Symbol.dispose]() {
      watch[Symbol.dispose]();
      client.destroy();
    },
  };
}

/** A store that refuses the question is there. */
function aliveIfRefused(error: unknown): HeadBucketCommandOutput | undefined {
  if (isAnswered(error)) return undefined;
  throw error;
}
