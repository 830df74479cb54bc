import { CallFailed } from '@holdfast/contract/src/call-failed.ts';

/** A queue of small files can be quicker than the rate limit; after this many waits it is something else. */
const waits = 5;

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Told true when a wait begins and false when it ends. */
  readonly onHold: (held: boolean) => void;
}

/**
 * Calls again after a 429, when the server said that it is time.
 * @throws whatever the call throws otherwise, and the signal's reason when it aborts during a wait.
 */
export async function waitWhenTold<T>(
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
