import type { CaptchaAction, CaptchaChallenge } from '@holdfast/contract/src/endpoints.ts';

/** The bot check. A token is valid once, and only for the action it was created for. */
export interface Captcha {
  challenge(action: CaptchaAction): Promise<CaptchaChallenge>;
  /** In doubt, it returns false. */
  check(token: string | undefined, action: CaptchaAction): Promise<boolean>;
}

export const noCaptcha: Captcha = { challenge: async () => ({ kind: 'none' }), check: async () => true };
