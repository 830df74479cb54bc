import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { speedTestLimits } from '@holdfast/contract/src/public-files.ts';

/** What went wrong with a run, and what to do about it. */
export function failureWords(error: unknown): string {
  if (!(error instanceof CallFailed) || error.problem === 'no-response')
    return 'No answer from the server, or it broke off. Check your connection, then measure again.';
  if (error.status === 429) return `${limitWords} ${tryAgain(error.retryAfterSeconds)}`;
  return `The server could not run the test (status ${error.status}). Try again later.`;
}

const { atOnce, perHour } = speedTestLimits;
export const limitWords = `An address can run ${perHour} tests an hour, ${atOnce} at a time.`;

function tryAgain(seconds: number | undefined): string {
  if (seconds === undefined) return 'Try again later.';
  if (seconds < 90) return `Try again in ${seconds} seconds.`;
  return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}
