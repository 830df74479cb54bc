import type { CaptchaAction, CaptchaChallenge } from '@holdfast/contract/src/endpoints.ts';
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { client } from './client.ts';
import { loadRecaptcha } from './load-recaptcha.ts';
import type { Answer, Challenge } from './solve-captcha.worker.ts';

/**
 * Proves that a person's browser passed the bot check for this action.
 * @returns the token to send as `captcha_token`, or undefined where the server wants none.
 * @throws {CallFailed} where the server cannot be reached or asks to wait, which is nothing that the check did.
 * @throws {Error} 'Bot check not loaded', or 'reCAPTCHA not loaded' where it is that one (decisions section 8).
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
    throw new Error(message, { cause });
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

/** The work takes a moment of pure computing: a worker keeps the page alive meanwhile. */
async function work(challenge: Challenge): Promise<string> {
  return btoa(JSON.stringify({ challenge, solution: await solve(challenge) }));
}

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
