import type { Captcha } from './captcha.ts';

/** For operators who trust everyone who reaches their server. */
export function openNoCaptcha(): Captcha {
  return {
    challenge: async () => ({ kind: 'none' }),
    check: async () => true,
  };
}
