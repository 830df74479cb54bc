import {
  type CaptchaAction,
  captchaActions,
  captchaChallenge,
  type CaptchaChallenge,
} from '@holdfast/contract/src/endpoints.ts';
import { expect, test } from 'vitest';
import type { Captcha } from './captcha.ts';

export interface CaptchaEngine extends AsyncDisposable {
  readonly captcha: Captcha;
  /** Solves a challenge as a browser does. Undefined if there is no token to send. */
  readonly solve: (challenge: CaptchaChallenge, action: CaptchaAction) => Promise<string | undefined>;
}

/** Tests the promises of every bot check (see `Captcha`). */
export function captchaConformance(open: () => Promise<CaptchaEngine>): void {
  test.each(captchaActions)('a solved challenge opens the action %s', async (action) => {
    await using engine = await open();
    const challenge = await engine.captcha.challenge(action);
    expect(captchaChallenge.parse(challenge)).toEqual(challenge);
    expect(await engine.captcha.check(await engine.solve(challenge, action), action)).toBe(true);
  });
}
