import { expect, test } from 'vitest';
import { captchaConformance } from './conformance.ts';
import { openNoCaptcha } from './none.ts';

captchaConformance(async () => ({
  captcha: openNoCaptcha(),
  solve: async () => undefined,
  async [Symbol.asyncDispose]() {},
}));

test('every token passes', async () => {
  const captcha = openNoCaptcha();
  expect(await captcha.challenge('login')).toEqual({ kind: 'none' });
  expect(await captcha.check('anything', 'login')).toBe(true);
});
