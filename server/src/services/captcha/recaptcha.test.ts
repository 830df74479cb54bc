import { pino } from 'pino';
import { expect, test } from 'vitest';
import { captchaConformance, type CaptchaEngine } from './conformance.ts';
import { openRecaptcha, type RecaptchaOptions } from './recaptcha.ts';
import {
  type IssuedToken,
  type RecaptchaStandIn,
  startRecaptcha,
  type RecaptchaTrouble,
} from '../../../test/stand-ins/recaptcha.ts';

const secret = 'the secret of this test';
const good: IssuedToken = { action: 'login', hostname: 'files.example.com', score: 0.9 };

interface Recaptcha extends CaptchaEngine {
  readonly google: RecaptchaStandIn;
  readonly log: readonly string[];
}

async function openEngine(options: Partial<RecaptchaOptions> = {}): Promise<Recaptcha> {
  const google = await startRecaptcha(secret);
  const log: string[] = [];
  const captcha = openRecaptcha({
    siteKey: 'the site key',
    secret,
    minScore: 0.5,
    hostname: 'files.example.com',
    log: pino({ base: null }, { write: (line: string) => void log.push(line) }),
    verifyUrl: google.verifyUrl,
    ...options,
  });
  return {
    captcha,
    google,
    log,
    solve: async (_challenge, action) => google.issue({ ...good, action }),
    [Symbol.asyncDispose]: () => google[Symbol.asyncDispose](),
  };
}

captchaConformance(openEngine);

test.each<[string, Partial<IssuedToken>, boolean]>([
  ['of another action', { action: 'create_account' }, false],
  ['of another site', { hostname: 'files.example.com.evil.example' }, false],
  ['with a score below the least', { score: 0.49 }, false],
  ['with the least score', { score: 0.5 }, true],
])('a token %s', async (_name, change, passes) => {
  await using engine = await openEngine();
  expect(await engine.captcha.check(engine.google.issue({ ...good, ...change }), 'login')).toBe(passes);
});

test.each<[RecaptchaTrouble, RecaptchaTrouble]>([
  ['overloaded', 'overloaded'],
  ['dropped', 'cut short'],
])('a check passes after two failures of Google: %s, %s', async (first, second) => {
  await using engine = await openEngine();
  engine.google.suffer(first, second);
  expect(await engine.captcha.check(engine.google.issue(good), 'login')).toBe(true);
  expect(engine.google.requests()).toBe(3);
});

test('the third failure fails the check and is logged without secret or token', async () => {
  await using engine = await openEngine();
  engine.google.suffer('overloaded', 'dropped', 'overloaded');
  const token = engine.google.issue(good);
  expect(await engine.captcha.check(token, 'login')).toBe(false);
  expect(engine.google.requests()).toBe(3);
  expect(engine.log.join()).toContain('reCAPTCHA returned no verdict');
  expect(engine.log.join()).not.toContain(secret);
  expect(engine.log.join()).not.toContain(token);
});

test('the check fails after the timeout if Google does not respond', async () => {
  await using engine = await openEngine({ totalMs: 100 });
  engine.google.suffer('silent');
  expect(await engine.captcha.check(engine.google.issue(good), 'login')).toBe(false);
  expect(engine.google.requests()).toBe(1);
});

test('a wrong secret fails the check, and the log names the variable', async () => {
  await using engine = await openEngine({ secret: 'a wrong one' });
  expect(await engine.captcha.check(engine.google.issue(good), 'login')).toBe(false);
  expect(engine.log.join()).toContain('RECAPTCHA_SECRET');
  expect(engine.log.join()).not.toContain('a wrong one');
});
