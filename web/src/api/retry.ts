import { CallFailed } from '@holdfast/contract/src/call-failed.ts';

/** Spec section 9: three retries. */
const retries = 3;

/** Asking again does not change a refusal, unless it was for asking too often or on the server's side. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const final =
    error instanceof CallFailed && error.problem === 'refused' && error.status < 500 && error.status !== 429;
  return !final && failures < retries;
}

/** Exponential, at most 30 seconds (spec section 9), and never sooner than the server asked for. */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof CallFailed ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.min(30_000, Math.max(asked, 1000 * 2 ** failures));
}
