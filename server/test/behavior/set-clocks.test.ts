/** A clock that is set back, or ahead and back, refuses nobody: no wait is longer than its own period. */
import { expect, test } from 'vitest';
import { days, hours, minutes, seconds, withSteadyTime } from '../../src/lib/clock.ts';
import { queueEmail } from '../../src/email/queue-email.ts';
import { openRunLimit } from '../../src/delivery/run-limit.ts';
import { createProvenCredentials } from '../../src/http/proven-credentials.ts';
import { isScannerDown } from '../../src/moderation/scanner-health.ts';
import { createTestClock } from '@holdfast/test-support/test-clock.ts';
import { cookieName, goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { startLimited, statuses } from '../harness/limited-server.ts';
import { newestResetKey, resetForm } from '../harness/passwords.ts';
import { onPostgres } from '../harness/plan-of.ts';
import { signUp } from '../harness/sign-ups.ts';
import { solvedToken } from '../harness/solved-token.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const email = 'ada@example.com';

const news = { to: email, subject: 'News', text: 'News', html: '<p>News</p>', secret: null };

type Move = (server: TestServer, during: () => Promise<unknown>) => Promise<void>;

/** What may happen to a clock: something is counted `during` it, and then the clock shows another time. */
const moves: readonly (readonly [string, Move])[] = [
  [
    'set back an hour',
    async ({ clock }, during) => {
      await during();
      clock.jump(-hours(1));
    },
  ],
  [
    'a year ahead and set back',
    async ({ clock }, during) => {
      clock.jump(days(366));
      await during();
      clock.jump(-days(366));
    },
  ],
];

const info = (server: TestServer) => call(server, '/api/v3/session/server-info');

test.each(moves)('a clock %s refuses neither a call nor a sign-in after one of each', async (_, move) => {
  await using server = await startLimited();
  await signUpAndIn(server, { email });
  const signIn = () => openBrowser(server).client.login({ body: { email, password: goodPassword } });
  await move(server, async () => {
    await info(server);
    await signIn();
  });
  expect((await info(server)).status).toBe(200);
  expect(await signIn()).toBeDefined();
});

// On PostgreSQL the database's clock counts, which gives no wait but may fill a bucket.
test.skipIf(onPostgres).each(moves)('a clock %s lets an address call again within its second', async (_, move) => {
  await using server = await startLimited();
  await move(server, () => statuses(5, () => info(server)));
  const refused = await info(server);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
  server.clock.advance(250);
  expect(await statuses(2, () => info(server))).toEqual([200, 429]);
});

test.skipIf(onPostgres).each(moves)('a clock %s makes wrong passwords wait no longer', async (_, move) => {
  await using server = await startLimited();
  await signUpAndIn(server, { email });
  const signIn = (password: string) => {
    // The limit of all calls from one address is another one.
    server.clock.advance(seconds(1));
    return openBrowser(server).client.login({ body: { email, password } });
  };
  await move(server, async () => {
    for (let guess = 0; guess < 10; guess += 1) await signIn(`wrong ${guess}`).catch(() => {});
  });
  // The oldest of the ten was eleven seconds ago.
  await expect(signIn(goodPassword)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 170 });
  server.clock.advance(seconds(169));
  expect(await signIn(goodPassword)).toBeDefined();
});

test.each(moves)('a clock %s makes no resend wait longer', async (_, move) => {
  await using server = await startServer();
  const browser = openBrowser(server);
  await move(server, async () => {
    await browser.client.createAccount({ body: { email, password: goodPassword, password2: goodPassword } });
  });
  const resend = () => browser.client.verifyEmail({ body: { resend_code_to: email } });
  expect(await resend()).toEqual({ message: 'Verification code re-sent.' });
});

test.each(moves)('a clock %s makes an address that had its ten codes wait no longer than a day', async (_, move) => {
  await using server = await startServer();
  const browser = openBrowser(server);
  const resend = () => browser.client.verifyEmail({ body: { resend_code_to: email } });
  await move(server, async () => {
    await browser.client.createAccount({ body: { email, password: goodPassword, password2: goodPassword } });
    for (let count = 1; count < 10; count += 1) {
      server.clock.advance(seconds(120));
      await resend();
    }
  });
  expect(await resend()).toEqual({ message: 'Verification code re-sent.' });
});

test.each(moves)('a clock %s never keeps a new sign-up from starting over', async (_, move) => {
  await using server = await startServer();
  await move(server, () => signUp(server, email));
  await signUp(server, email);
  expect(await server.mail.emails()).toHaveLength(2);
});

test('an email that failed while the clock was a year ahead is sent when it is back', async () => {
  await using server = await startServer();
  server.clock.jump(days(366));
  server.mail.server.says = 'nothing';
  await signUp(server, email);
  server.clock.jump(-days(366));
  server.mail.server.says = 'yes';
  expect(await server.mail.emails()).toMatchObject([{ to: email }]);
});

test.each([
  ['with a code', (server: TestServer) => signUp(server, email)],
  ['of lasting use', (server: TestServer) => queueEmail(server.context, { ...news, validFor: null })],
])('an email %s that waits while the clock is a year ahead is sent when it is back', async (_, queue) => {
  await using server = await startServer();
  server.mail.server.says = 'nothing';
  await queue(server);
  server.clock.jump(days(366));
  server.clock.advance(minutes(2));
  await server.emailWorker.flush();
  server.clock.jump(-days(366));
  server.mail.server.says = 'yes';
  expect(await server.mail.emails()).toMatchObject([{ to: email }]);
});

test.each([
  ['with a code', (server: TestServer) => signUp(server, email), minutes(10)],
  ['of lasting use', (server: TestServer) => queueEmail(server.context, { ...news, validFor: null }), days(3)],
])('an email %s that is queued while the clock is a year ahead is given up in time', async (_, queue, after) => {
  await using server = await startServer();
  server.mail.server.says = 'nothing';
  server.clock.jump(days(366));
  await queue(server);
  server.clock.jump(-days(366));
  server.clock.advance(after);
  await server.emailWorker.flush();
  expect(await server.context.db.selectFrom('outgoing_emails').selectAll().execute()).toEqual([]);
});

test('a session that began while the clock was a year ahead lasts no longer than any other', async () => {
  await using server = await startServer();
  server.clock.jump(days(366));
  const ann = await signUpAndIn(server);
  server.clock.jump(-days(366));
  expect((await ann.browser.client.getAccountInfo()).account.info.email).toBe(ann.email);
  expect(ann.browser.cookies.get(cookieName(server, 'session'))).toBeDefined();
  server.clock.advance(days(14));
  await expect(ann.browser.client.getAccountInfo()).rejects.toMatchObject({ status: 401 });
});

test('a session lasts a day longer than a jump of a year, and works again when the clock is back', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  server.clock.jump(days(366));
  expect((await ann.browser.client.getAccountInfo()).account.info.email).toBe(ann.email);
  server.clock.advance(hours(24));
  await expect(ann.browser.client.getAccountInfo()).rejects.toMatchObject({ status: 401 });
  server.clock.jump(-days(366));
  expect((await ann.browser.client.getAccountInfo()).account.info.email).toBe(ann.email);
});

const jumps = [
  ['an hour back', -hours(1)],
  ['a year ahead', days(366)],
] as const;

test.each(jumps)('a password entered before a jump of %s counts for 15 minutes', async (_, jump) => {
  await using server = await startServer();
  const { browser } = await signUpAndIn(server);
  // The session notes its use every hour.
  server.clock.advance(minutes(55));
  await browser.client.confirmPassword({ body: { password: goodPassword } });
  server.clock.advance(minutes(1));
  server.clock.jump(jump);
  await browser.client.changeApiKey();
  server.clock.advance(minutes(15));
  await expect(browser.client.changeApiKey()).rejects.toMatchObject({ code: 'PASSWORD_REQUIRED' });
  await browser.client.confirmPassword({ body: { password: goodPassword } });
  await browser.client.changeApiKey();
});

test.each(jumps)('a bot check that is sent after a jump of %s works, and once only', async (_, jump) => {
  await using server = await startServer({ CAPTCHA: 'altcha', ALTCHA_DIFFICULTY: '1' });
  await signUpAndIn(server, { email });
  const captcha_token = await solvedToken(server, 'login');
  server.clock.advance(minutes(1));
  server.clock.jump(jump);
  const signIn = () => openBrowser(server).client.login({ body: { email, password: goodPassword, captcha_token } });
  expect(await signIn()).toBeDefined();
  await expect(signIn()).rejects.toMatchObject({ code: 'CAPTCHA_FAILED' });
  server.clock.jump(-jump);
  await expect(signIn()).rejects.toMatchObject({ code: 'CAPTCHA_FAILED' });
});

test.each(jumps)('a code and a reset link that were sent before a jump of %s work', async (_, jump) => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const signedUp = await signUp(server, email);
  await signedUp.client.requestPasswordReset({ body: { email: ann.email } });
  const key = await newestResetKey(server, ann.email);
  const code = await server.mail.newestSecretFor(email);
  server.clock.advance(minutes(1));
  server.clock.jump(jump);
  expect(await signedUp.client.verifyEmail({ body: { code } })).toBeDefined();
  expect(await signedUp.client.resetPassword(resetForm(key))).toEqual({});
});

test('what begins while the clock is a year ahead expires as soon as ever', async () => {
  await using server = await startServer({ CAPTCHA: 'altcha', ALTCHA_DIFFICULTY: '1' });
  const ann = await signUpAndIn(server);
  server.clock.jump(days(366));
  const signedUp = openBrowser(server);
  const form = { email, password: goodPassword, password2: goodPassword };
  await signedUp.client.createAccount({
    body: { ...form, captcha_token: await solvedToken(server, 'create_account') },
  });
  const code = await server.mail.newestSecretFor(email);
  await ann.browser.client.confirmPassword({ body: { password: goodPassword } });
  const captcha_token = await solvedToken(server, 'login');
  server.clock.advance(minutes(15));
  await expect(signedUp.client.verifyEmail({ body: { code } })).rejects.toMatchObject({ code: 'CODE_EXPIRED' });
  await expect(ann.browser.client.changeApiKey()).rejects.toMatchObject({ code: 'PASSWORD_REQUIRED' });
  const body = { email: ann.email, password: goodPassword, captcha_token };
  await expect(signedUp.client.login({ body })).rejects.toMatchObject({ code: 'CAPTCHA_FAILED' });
});

test.each([-hours(1), days(366)])('limits in memory do not notice a clock that moves by %i ms', (ms) => {
  const clock = createTestClock();
  const runs = openRunLimit({ atOnce: 1, perHour: 1 }, clock);
  const sessions = createProvenCredentials(clock);
  expect(runs.start('ann')).toHaveProperty('end');
  sessions.add('a');
  clock.jump(ms);
  expect(runs.start('ann')).toEqual({ retryAfterSeconds: 3_600 });
  expect(sessions.has('a')).toBe(true);
  clock.advance(hours(1));
  expect(sessions.has('a')).toBe(false);
  expect(runs.start('ben')).toHaveProperty('end');
});

test('a scanner that was never found down is not down, whatever the clock says', async () => {
  await using server = await startServer();
  expect(isScannerDown({ ...server.context, clock: withSteadyTime({ now: () => 0, elapsed: () => 0 }) })).toBe(false);
});
