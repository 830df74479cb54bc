/** The connection to an S3 store: the SDK, its time limits, whether the store is there, and what its errors mean. */
import { HeadBucketCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { seconds } from '../../../lib/clock.ts';
import { BlobsUnavailable, StorageFull } from '../blobs.ts';

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
    client.send(new HeadBucketCommand({ Bucket: place.bucket }), { abortSignal }).catch((error: unknown) => {
      // A store that refuses the question is there.
      if (!isAnswered(error)) throw error;
    });
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

/** After this time without a response, a request gives reason to ask whether the store responds at all. */
const suspectAfter = 250;
/** A store that does not respond to a HEAD for this long is away. Together they are less than a second. */
const shortestPatience = 650;
/** A store that is found to be slow has more time, and is asked now and then whether it still is. */
const longestPatience = seconds(10);
const asLongAsUsual = 3;
const stillSlowEvery = seconds(10);
/** A timer that fires so much later tells that the event loop was held up. */
const tooBusy = 100;
const lookEvery = 50;
const askAgainAfter = 500;

/**
 * Finds out whether a store responds at all: a slow request is no reason to refuse all others, and a hung store reports no
 * error to those that wait for it.
 * @param probe asks the store for almost nothing; it rejects if there is no response.
 */
function watchStore(probe: (signal: AbortSignal) => Promise<unknown>, log: Pick<Logger, 'warn'>) {
  const waiting = new Map<AbortController, number>();
  let away: Error | null = null;
  let isAsking = false;
  let isClosed = false;
  let heardAt = -Infinity;
  let probedAt = -Infinity;
  let patience = shortestPatience;

  /** Returns null if the store has responded. */
  const problemOf = async (longestMs: number): Promise<Error | null> => {
    const askedAt = performance.now();
    try {
      await probe(AbortSignal.timeout(longestMs));
      const usual = Math.ceil(asLongAsUsual * (performance.now() - askedAt));
      patience = Math.min(Math.max(shortestPatience, usual), longestPatience);
      return null;
    } catch (error) {
      // A busy store may leave the probe waiting while it serves others.
      if (heardAt > askedAt) return null;
      // This process was too busy to see a response in time, so it proves nothing about the store.
      if (performance.now() - askedAt > longestMs + tooBusy) return problemOf(longestMs);
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      probedAt = performance.now();
    }
  };
  const askUntilItResponds = async () => {
    let time = patience;
    for (;;) {
      const problem = await problemOf(time);
      if (isClosed || !problem) break;
      if (!away) {
        away = problem;
        log.warn({ err: problem }, 'the S3 store does not respond; requests are refused until it does');
        for (const request of waiting.keys()) request.abort(unavailable(problem));
      }
      await wait(askAgainAfter, undefined, { ref: false });
      time = Math.min(2 * time, longestPatience);
    }
    if (away && !isClosed) log.warn('the S3 store responds again');
    away = null;
  };
  const check = () => {
    if (isAsking || isClosed) return;
    isAsking = true;
    void askUntilItResponds().finally(() => (isAsking = false));
  };
  const look = setInterval(() => {
    const [oldest = Infinity] = waiting.values();
    const now = performance.now();
    const mayBeFasterNow = patience > shortestPatience && now - probedAt > stillSlowEvery;
    if (now - oldest > suspectAfter || mayBeFasterNow) check();
  }, lookEvery).unref();

  return {
    /** While the store is away, a request is refused at once, and one that waits when the store goes away ends. */
    async during<T>(longestMs: number, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (away) throw unavailable(away);
      const ended = new AbortController();
      const timer = setTimeout(() => ended.abort(new BlobsUnavailable('The S3 store is too slow')), longestMs);
      waiting.set(ended, performance.now());
      try {
        const response = await request(ended.signal);
        heardAt = performance.now();
        return response;
      } catch (error) {
        if (isAnswered(error)) heardAt = performance.now();
        // It failed at once, so there is no need to wait for others.
        else if (!ended.signal.aborted) check();
        throw ended.signal.aborted ? ended.signal.reason : error;
      } finally {
        waiting.delete(ended);
        clearTimeout(timer);
      }
    },
    async untilBack(ms: number): Promise<void> {
      const until = performance.now() + ms;
      for (;;) {
        if (!away || isClosed || performance.now() >= until) return;
        await wait(lookEvery);
      }
    },
    [Symbol.dispose]() {
      isClosed = true;
      clearInterval(look);
    },
  };
}

const unavailable = (cause: Error) => new BlobsUnavailable('The S3 store does not respond', cause);

/** Returns the status of the store's response; undefined if there was none. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

/** Returns whether a store that works has refused the request. */
const isAnswered = (error: unknown): boolean => (statusOf(error) ?? 500) < 500;

/** Returns whether there is no such object; a HEAD has no body that says so. */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404;

/** As AWS, Ceph and MinIO call a bucket or a store without space. */
const fullNames: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientCapacity', 'XMinioStorageFull']);

/** Returns a failed request as an error of the port, or as it is if the store refused this request alone. */
function asBlobError(error: unknown): unknown {
  if (error instanceof BlobsUnavailable) return error;
  const status = statusOf(error);
  if (error instanceof S3ServiceException && (status === 507 || fullNames.has(error.name)))
    return new StorageFull(error);
  if (status !== undefined && status < 500 && status !== 403 && status !== 429) return error;
  return new BlobsUnavailable('The S3 store cannot serve a request', error);
}
