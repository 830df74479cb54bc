import { CallFailed } from '@holdfast/contract/src/call-failed.ts';

/** A queue of small files can exceed the rate limit; after this number of waits the cause is something else. */
const waits = 5;

export interface WaitOptions {
  readonly signal: AbortSignal;
  readonly onHold: (held: boolean) => void;
}

/**
 * Repeats the call after a 429, once the time that the server requested has passed.
 * @throws any other error of the call, and the signal's reason when it aborts during a wait.
 */
export async function retryRateLimited<T>(
  call: () => Promise<T>,
  { signal, onHold }: WaitOptions,
  pause: typeof sleep = sleep,
): Promise<T> {
  for (let wait = 0; ; wait++) {
    try {
      return await call();
    } catch (error) {
      if (wait === waits || !(error instanceof CallFailed) || error.status !== 429) throw error;
      onHold(true);
      await pause((error.retryAfterSeconds ?? 1) * 1000, signal);
      onHold(false);
    }
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
