import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { BlobsUnavailable } from '../blobs.ts';
import { isAnswered } from './errors.ts';

/** After this time without a response, a request gives reason to ask whether the store responds at all. */
const suspectAfter = 250;
/** A store that does not respond to a HEAD for this long is away. Together they are less than a second. */
const shortestPatience = 650;
/** A store that is found to be slow has more time, and is asked again and again whether it still is. */
const longestPatience = 10_000;
const asLongAsUsual = 3;
const stillSlowEvery = 10_000;
/** A timer that fires so much later tells that the event loop was held up. */
const tooBusy = 100;
const lookEvery = 50;
const askAgainAfter = 500;

export interface StoreWatch extends Disposable {
  /**
   * Runs a request, whose response or refusal is a sign of life. While the store is away, it is refused at once; one that waits when the store goes away ends.
   * @throws {BlobsUnavailable} also when it takes longer than `longestMs`.
   */
  during<T>(longestMs: number, request: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Asks now whether the store responds. */
  check(): void;
  /** Resolves when the store responds again, or after `ms`. */
  untilBack(ms: number): Promise<void>;
}

/**
 * Finds out whether a store responds at all. A slow request is no reason to refuse all others, and a hung store reports
 * no error to those that wait for it.
 * @param probe asks the store for almost nothing; it rejects if there is no response.
 */
export function watchStore(probe: (signal: AbortSignal) => Promise<unknown>, log: Pick<Logger, 'warn'>): StoreWatch {
  const waiting = new Map<AbortController, number>();
  let away: Error | null = null;
  let isAsking = false;
  let isClosed = false;
  let heardAt = -Infinity;
  let probedAt = -Infinity;
  let patience = shortestPatience;

  const responds = async (longestMs: number): Promise<Error | null> => {
    const askedAt = performance.now();
    try {
      await probe(AbortSignal.timeout(longestMs));
      const taken = performance.now() - askedAt;
      patience = Math.min(Math.max(shortestPatience, Math.ceil(asLongAsUsual * taken)), longestPatience);
      return null;
    } catch (error) {
      // A busy store may leave the probe waiting while it serves others.
      if (heardAt > askedAt) return null;
      // This process was too busy to see a response in time, so it proves nothing about the store.
      if (performance.now() - askedAt > longestMs + tooBusy) return responds(longestMs);
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      probedAt = performance.now();
    }
  };
  const askUntilItResponds = async () => {
    let time = patience;
    for (;;) {
      const problem = await responds(time);
      if (isClosed) return;
      if (!problem) break;
      if (!away) {
        away = problem;
        log.warn({ err: problem }, 'the S3 store does not respond; requests are refused until it does');
        for (const request of waiting.keys()) request.abort(unavailable(problem));
      }
      await wait(askAgainAfter, undefined, { ref: false });
      time = Math.min(2 * time, longestPatience);
    }
    if (away) log.warn('the S3 store responds again');
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
    async during(longestMs, request) {
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
    check,
    async untilBack(ms) {
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
