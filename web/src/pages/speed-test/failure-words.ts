import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { speedTestLimits } from '@holdfast/contract/src/limits.ts';

/** Explains a failed run and what to do about it. */
export function failureWords(error: unknown): string {
  if (!(error instanceof CallFailed) || error.problem === 'no-response')
    return 'The server did not respond, or the connection was lost. Check your connection, then measure again.';
  if (error.status === 429) return `${limitWords} ${tryAgain(error.retryAfterSeconds)}`;
  return `The server could not run the test (status ${error.status}). Try again later.`;
}

const { atOnce, perHour } = speedTestLimits;
export const limitWords = `Limit: ${perHour} tests an hour per IP address, ${atOnce} at once.`;

function tryAgain(seconds: number | undefined): string {
  if (seconds === undefined) return 'Try again later.';
  if (seconds < 90) return `Try again in ${seconds} seconds.`;
  return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}
