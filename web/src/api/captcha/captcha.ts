import type { CaptchaAction, CaptchaChallenge } from '@holdfast/contract/src/endpoints.ts';
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { isReplaced } from '../../lib/lazy-page.ts';
import { client } from '../client/client.ts';
import { loadRecaptcha } from './load-recaptcha.ts';
import type { Answer, Challenge } from './solve-captcha.worker.ts';
// oxlint-disable-next-line import/default -- Vite makes the address of the worker's script the default export
import workerUrl from './solve-captcha.worker.ts?worker&url';

/**
 * Proves that the user's browser passed the bot check for this action.
 * @returns the token to send as `captcha_token`, or undefined if the server requires none.
 * @throws {CallFailed} if the server is unreachable or asks the client to wait; neither is a failure of the check.
 * @throws {Error} 'Bot check not loaded', or 'reCAPTCHA not loaded' if reCAPTCHA is the check.
 */
export async function captchaToken(action: CaptchaAction): Promise<string | undefined> {
  const captcha = await orSay('Bot check not loaded', () => askServer(action));
  if (captcha.kind === 'none') return undefined;
  if (captcha.kind === 'recaptcha') return orSay('reCAPTCHA not loaded', () => askRecaptcha(captcha.site_key, action));
  return orSay('Bot check not loaded', () => work(captcha.challenge as unknown as Challenge));
}

async function orSay<T>(message: string, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (cause) {
    if (cause instanceof CallFailed && (cause.problem === 'no-response' || cause.status === 429)) throw cause;
    throw new Error((await isReplaced()) ? 'A new version is available. Reload the page.' : message, { cause });
  }
}

async function askServer(action: CaptchaAction): Promise<CaptchaChallenge> {
  return (await client.captchaChallenge({ query: { action } })).captcha;
}

async function askRecaptcha(siteKey: string, action: CaptchaAction): Promise<string> {
  const recaptcha = await loadRecaptcha(siteKey);
  const patience = AbortSignal.timeout(15_000);
  return Promise.race([
    recaptcha.execute(siteKey, { action }),
    new Promise<never>((_, reject) => patience.addEventListener('abort', () => reject(patience.reason))),
  ]);
}

/** Solves the challenge in a worker, because the computation takes a moment and would block the page. */
async function work(challenge: Challenge): Promise<string> {
  return btoa(JSON.stringify({ challenge, solution: await solve(challenge) }));
}

async function solve(challenge: Challenge): Promise<NonNullable<Answer>> {
  const worker = new Worker(workerUrl, { type: 'module' });
  return new Promise<NonNullable<Answer>>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Answer>) =>
      data ? resolve(data) : reject(new Error('No solution in time'));
    worker.onerror = (event) => reject(new Error(event.message));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
