import type { CaptchaAction, CaptchaChallenge } from '@holdfast/contract/src/endpoints.ts';

/** The bot check port. A token counts once, and only for the action that it was made for. */
export interface Captcha {
  /** What the browser must do before it may call `action`. */
  challenge(action: CaptchaAction): Promise<CaptchaChallenge>;
  /** Whether `token` proves that it was done. A doubt is a no. */
  check(token: string | undefined, action: CaptchaAction): Promise<boolean>;
}
