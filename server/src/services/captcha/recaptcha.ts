import type { CaptchaAction } from '@holdfast/contract/src/endpoints.ts';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import type { Captcha } from './captcha.ts';
import { postForm, type PostLimits } from './post-form.ts';

export interface RecaptchaOptions {
  readonly siteKey: string;
  readonly secret: string;
  /** From 0 (certainly a machine) to 1 (certainly a person). */
  readonly minScore: number;
  /** The host name of the web app, on which tokens must have been created. */
  readonly hostname: string;
  readonly log: Logger;
  readonly verifyUrl?: string;
  readonly limits?: PostLimits;
}

/** Google's reCAPTCHA v3: no question for people, a score for the server. Google itself accepts each token once. */
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
  const { secret, log, verifyUrl = 'https://www.google.com/recaptcha/api/siteverify' } = options;
  const { limits = { connectMs: 2_000, totalMs: 5_000 } } = options;
  const answer = await postForm(new URL(verifyUrl), { secret, response: token }, limits);
  if (answer.status !== 200) throw new Error(`reCAPTCHA responded with status ${answer.status}`);
  const verdict = verdictShape.parse(JSON.parse(answer.text));
  const wrongSecret = verdict['error-codes']?.some((code) => code.endsWith('-input-secret'));
  if (wrongSecret) log.error('reCAPTCHA does not accept RECAPTCHA_SECRET, so the bot check fails for everyone');
  return verdict;
}

function passes(verdict: Verdict, action: CaptchaAction, { hostname, minScore }: RecaptchaOptions): boolean {
  const { success, score = 0 } = verdict;
  return success && verdict.action === action && verdict.hostname === hostname && score >= minScore;
}
