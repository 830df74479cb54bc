import { HoldfastError } from './error.ts';
import type { HoldfastOptions } from './options.ts';

export interface Attempts<T> {
  readonly attempt: () => Promise<T>;
  readonly mayRepeat: (error: HoldfastError) => boolean;
  /** Grows when something was gained, and the failures until then no longer count. */
  readonly gained?: () => number;
  readonly signal?: AbortSignal | undefined;
}

export async function retry<T>(options: HoldfastOptions, work: Attempts<T>): Promise<T> {
  const { retries = 5, longestWait = 120, onRetry, pause = wait } = options;
  let best = 0;
  for (let failures = 0; ; failures += 1) {
    try {
      work.signal?.throwIfAborted();
      return await work.attempt();
    } catch (error) {
      if (!(error instanceof HoldfastError) || !work.mayRepeat(error)) throw error;
      const gained = work.gained?.() ?? 0;
      if (gained > best) failures = 0;
      best = Math.max(best, gained);
      // Clients that failed together do not come back together.
      const seconds = error.retryAfter ?? Math.min(30, 2 ** failures / 2) * (1 + Math.random() / 4);
      if (failures >= retries || seconds > longestWait) throw error;
      onRetry?.(error, seconds);
      await pause(seconds * 1000, work.signal);
    }
  }
}

/** The same call may succeed later. */
export function isTransient({ code, status }: HoldfastError): boolean {
  if (status === 507) return false;
  return status === 0 || status >= 500 || [408, 423, 429, 460].includes(status) || code === 'UPLOAD_INTERRUPTED';
}

/** Nothing was done. */
export const isRefusedForNow = ({ status }: HoldfastError): boolean => status === 429;

const wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
