import { CallFailed } from '@holdfast/contract/src/call-failed.ts';

/** Number of retries after the first attempt. */
const retries = 3;

/** Retries do not change a refusal, unless it was rate limiting or a server-side error. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const final =
    error instanceof CallFailed && error.problem === 'refused' && error.status < 500 && error.status !== 429;
  return !final && failures < retries;
}

/**
 * A change is not repeated, because a lost response does not show whether it was made. The rate limit is the exception:
 * it refuses a call before anything is done.
 */
export const shouldRetryChange = (failures: number, error: unknown): boolean =>
  error instanceof CallFailed && error.code === 'RATE_LIMITED' && failures < retries;

/** Exponential backoff, or longer if the server requested it, but at most 30 seconds. */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof CallFailed ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.min(30_000, Math.max(asked, 1000 * 2 ** failures));
}
