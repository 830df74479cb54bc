import type { CaptchaAction } from '@holdfast/contract/src/endpoints.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import type { Config } from '../../config/config.ts';
import type { Captcha } from './captcha.ts';

export interface RecaptchaOptions extends Omit<Extract<Config['captcha'], { engine: 'recaptcha' }>, 'engine'> {
  readonly log: Logger;
  readonly verifyUrl?: string;
  readonly totalMs?: number;
}

export function openRecaptcha(options: RecaptchaOptions): Captcha {
  return {
    challenge: async () => ({ kind: 'recaptcha', site_key: options.siteKey }),
    async check(token, action) {
      if (!token) return false;
      try {
        return passes(await askGoogle(options, token), action, options);
      } catch (error) {
        // The request contains the token and the secret, so only the message is logged.
        options.log.warn({ reason: String(error) }, 'reCAPTCHA returned no verdict, so the bot check fails');
        return false;
      }
    },
  };
}

const verdictShape = z.object({
  success: z.boolean(),
  action: z.optional(z.string()),
  hostname: z.optional(z.string()),
  score: z.optional(z.number()),
  'error-codes': z.optional(z.array(z.string())),
});
type Verdict = z.infer<typeof verdictShape>;

async function askGoogle(options: RecaptchaOptions, token: string): Promise<Verdict> {
  const { secret, log, verifyUrl = 'https://www.google.com/recaptcha/api/siteverify', totalMs = 5_000 } = options;
  const body = new URLSearchParams({ secret, response: token });
  const { status, content } = await post(verifyUrl, body, AbortSignal.timeout(totalMs));
  if (status !== 200) throw new Error(`reCAPTCHA responded with status ${status}`);
  const verdict = verdictShape.parse(JSON.parse(content));
  const wrongSecret = verdict['error-codes']?.some((code) => code.endsWith('-input-secret'));
  if (wrongSecret) log.error('reCAPTCHA does not accept RECAPTCHA_SECRET, so the bot check fails for everyone');
  return verdict;
}

async function post(url: string, body: URLSearchParams, signal: AbortSignal) {
  for (let left = 2; ; left -= 1) {
    try {
      const answer = await fetch(url, { method: 'POST', body, redirect: 'manual', signal });
      const { status } = answer;
      const content = await answer.text();
      if (left === 0 || (status < 500 && status !== 429)) return { status, content };
    } catch (error) {
      if (left === 0 || signal.aborted) throw error;
    }
    await pause(50 + Math.random() * 150, undefined, { signal });
  }
}

function passes(verdict: Verdict, action: CaptchaAction, { hostname, minScore }: RecaptchaOptions): boolean {
  const { success, score = 0 } = verdict;
  return success && verdict.action === action && verdict.hostname === hostname && score >= minScore;
}
