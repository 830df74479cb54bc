import type { CaptchaAction } from '@holdfast/contract/src/endpoints.ts';
import { CallFailed } from '@holdfast/contract/src/envelope.ts';
import { client } from './client.ts';
import type { Answer, Challenge } from './solve-captcha.worker.ts';

/** Decisions section 8: the words for a bot check that could not be loaded or solved. */
const notLoaded = 'Bot check not loaded';

/**
 * Proves that a person's browser did some work for this action.
 * @returns the token to send as `captcha_token`, or undefined where the server wants none.
 * @throws {CallFailed} where the server cannot be reached or asks to wait, which is nothing that the check did.
 * @throws {Error} 'Bot check not loaded'
 */
export async function captchaToken(action: CaptchaAction): Promise<string | undefined> {
  try {
    const { captcha } = await client.captchaChallenge({ query: { action } });
    if (captcha.kind === 'none') return undefined;
    const challenge = captcha.challenge as unknown as Challenge;
    return btoa(JSON.stringify({ challenge, solution: await solve(challenge) }));
  } catch (cause) {
    if (cause instanceof CallFailed && (cause.problem === 'no-response' || cause.status === 429)) throw cause;
    throw new Error(notLoaded, { cause });
  }
}

/** The work takes a moment of pure computing: a worker keeps the page alive meanwhile. */
function solve(challenge: Challenge): Promise<NonNullable<Answer>> {
  const worker = new Worker(new URL('./solve-captcha.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<NonNullable<Answer>>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Answer>) =>
      data ? resolve(data) : reject(new Error('No solution in time'));
    worker.onerror = (event) => reject(new Error(event.message));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
