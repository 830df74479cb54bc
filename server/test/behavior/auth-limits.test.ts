import { expect } from 'vitest';
import { hours, minutes, seconds } from '../../src/lib/clock.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import type { Browser } from '../harness/browser.ts';
import type { Answer } from '../harness/calls.ts';
import { newestResetKey, newPassword, resetForm } from '../harness/passwords.ts';
import { callFrom, startLimited, statuses, limitedTest as test } from '../harness/limited-server.ts';
import { signUpForm } from '../harness/sign-ups.ts';
import { solvedToken } from '../harness/solved-token.ts';
import type { TestServer } from '../harness/start-server.ts';

const times = (count: number, status: number) => Array.from({ length: count }, () => status);
const home = '203.0.113.1';
const elsewhere = (turn: number) => `198.51.100.${turn + 1}`;

/** Time does not matter for the attempt limits here: each attempt is made when its address may call again. */
async function post(server: TestServer, address: string, name: string, body: object, cookie?: string) {
  server.clock.advance(250);
  const path = `/api/v3/session/${name}`;
  return callFrom(server, address, path, { method: 'POST', body, ...(cookie && { headers: { Cookie: cookie } }) });
}

const signIn = (server: TestServer, address: string, email: string, password = 'Wrong-Password-1') =>
  post(server, address, 'login', { email, password });

const signUp = (server: TestServer, address: string, email: string) =>
  post(server, address, 'create-account', signUpForm(email).body);

const resend = (server: TestServer, address: string, email: string, cookie?: string) =>
  post(server, address, 'verify-email', { resend_code_to: email }, cookie);

const cookieOf = ({ headers }: Answer) => headers.getSetCookie()[0]?.split(';', 1)[0];
const knownCookieOf = ({ headers }: Answer) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.includes('-known'))
    ?.split(';', 1)[0] ?? '';
const cookiesOf = ({ cookies }: Browser) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** A sign-in of ada@example.com with the cookie of a known browser. */
const guessFrom = (server: TestServer, turn: number, known: string, password: string) =>
  post(server, elsewhere(turn), 'login', { email: 'ada@example.com', password }, known);

async function account(server: TestServer, email: string): Promise<void> {
  await signUpAndIn(server, { email });
  server.clock.advance(seconds(10));
}

test.each([
  ['of an account', 'ada@example.com'],
  ['that nobody has', 'nobody@example.com'],
])('for an email %s ten wrong passwords are checked, from any addresses', async (_what, email) => {
  await using server = await startLimited();
  await account(server, 'ada@example.com');
  expect(await statuses(12, (turn) => signIn(server, elsewhere(turn), email))).toEqual([...times(10, 401), 429, 429]);
  const refused = await signIn(server, home, email.toUpperCase());
  expect(refused.json).toEqual({
    success: false,
    error: { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts. Wait a while and try again.' },
  });
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(150);
  server.clock.advance(minutes(3));
  expect(await statuses(2, (turn) => signIn(server, elsewhere(turn), email))).toEqual([401, 429]);
});

test('wrong passwords from elsewhere do not lock out a browser that has signed in with this email', async ({
  server,
}) => {
  await account(server, 'ada@example.com');
  const before = await signIn(server, home, 'ada@example.com', goodPassword);
  const known = knownCookieOf(before);
  await statuses(10, (turn) => signIn(server, elsewhere(turn), 'ada@example.com'));
  const again = (password: string, cookie: string, email = 'Ada@Example.com') =>
    post(server, home, 'login', { email, password }, cookie);
  expect(await again(goodPassword, known)).toMatchObject({ status: 200 });
  // The browser has the same number of attempts, and is known for this email only.
  expect(await statuses(12, () => again('Wrong-Password-1', known))).toEqual([...times(10, 401), 429, 429]);
  await statuses(10, (turn) => signIn(server, elsewhere(turn), 'ben@example.com'));
  expect(await again('Wrong-Password-1', known, 'ben@example.com')).toMatchObject({ status: 429 });
  expect(await again(goodPassword, known.replace(/=.{8}/, '=AAAAAAAA'))).toMatchObject({ status: 429 });
});

test('all browsers that have signed in to an account share ten wrong passwords', async ({ server }) => {
  await account(server, 'ada@example.com');
  const known: string[] = [];
  for (let turn = 0; turn < 3; turn += 1)
    known.push(knownCookieOf(await signIn(server, elsewhere(turn), 'ada@example.com', goodPassword)));
  const guesses = [];
  for (const [turn, cookie] of known.entries())
    guesses.push(...(await statuses(10, () => guessFrom(server, turn, cookie, 'Wrong-Password-1'))));
  expect(guesses.filter((status) => status === 401)).toHaveLength(10);
});

test('a password change makes every browser unknown except the one that made it', async ({ server }) => {
  const { browser } = await signUpAndIn(server, { email: 'ada@example.com' });
  server.clock.advance(seconds(10));
  const before = knownCookieOf(await signIn(server, home, 'ada@example.com', goodPassword));
  const form = { old_password: goodPassword, new_password: newPassword };
  const changed = await post(server, home, 'change-password', form, cookiesOf(browser));
  expect(changed).toMatchObject({ status: 200 });
  await statuses(10, (turn) => signIn(server, elsewhere(turn), 'ada@example.com'));
  expect(await guessFrom(server, 20, before, newPassword)).toMatchObject({ status: 429 });
  expect(await guessFrom(server, 20, knownCookieOf(changed), newPassword)).toMatchObject({ status: 200 });
});

test('after a reset the owner signs in at once, although a stranger has guessed and goes on guessing', async ({
  server,
}) => {
  await account(server, 'ada@example.com');
  const stranger = (turn: number) => signIn(server, elsewhere(turn), 'ada@example.com');
  const old = knownCookieOf(await signIn(server, home, 'ada@example.com', goodPassword));
  expect(await statuses(11, stranger)).toEqual([...times(10, 401), 429]);
  expect(await guessFrom(server, 30, '', goodPassword)).toMatchObject({ status: 429 });
  await post(server, home, 'request-password-reset', { email: 'ada@example.com' });
  const { body } = resetForm(await newestResetKey(server, 'ada@example.com'));
  const reset = await post(server, home, 'reset-password', body);
  expect(reset).toMatchObject({ status: 200 });
  await statuses(11, stranger);
  expect(await guessFrom(server, 30, old, newPassword)).toMatchObject({ status: 429 });
  expect(await guessFrom(server, 30, knownCookieOf(reset), newPassword)).toMatchObject({ status: 200 });
});

test('thirty wrong passwords from one address are checked', async ({ server }) => {
  const guess = (turn: number) => signIn(server, home, `person${turn}@example.com`);
  const found = await statuses(32, guess);
  expect(found).toEqual([...times(30, 401), 429, 429]);
  expect(await signIn(server, elsewhere(1), 'person40@example.com')).toMatchObject({ status: 401 });
  server.clock.advance(seconds(30));
  expect(await statuses(2, guess)).toEqual([401, 429]);
});

test.each([
  // Three more were added in the 30 seconds that 120 attempts take here.
  ['120 sign-ins', 123, 403, signIn],
  ['40 sign-ups', 40, 403, signUp],
  ['80 codes', 80, 400, resend],
] as const)('an IPv6 /48 has %s at once, from any of its networks', async (_what, count, status, attempt) => {
  // Without the bot check they count and cost no hashing.
  await using server = await startLimited({ CAPTCHA: 'altcha' });
  const from = (site: number) => async (turn: number) =>
    attempt(server, `2001:db8:${site}:${turn.toString(16)}::1`, `nobody${site}-${turn}@example.com`);
  expect(await statuses(count + 2, from(1))).toEqual([...times(count, status), ...times(2, 429)]);
  expect(await statuses(1, from(2))).toEqual([status]);
});

test('sign-ups that the bot check refuses do not count for the mailbox', async () => {
  await using server = await startLimited({ CAPTCHA: 'altcha', ALTCHA_DIFFICULTY: '1' });
  expect(await statuses(6, (turn) => signUp(server, elsewhere(turn), 'ada@example.com'))).toEqual(times(6, 403));
  const captcha_token = await solvedToken(server, 'create_account');
  const { body } = signUpForm('ada@example.com');
  expect(await post(server, home, 'create-account', { ...body, captcha_token })).toMatchObject({ status: 200 });
});

test('right passwords do not count towards the limit', async ({ server }) => {
  await account(server, 'ada@example.com');
  expect(await statuses(40, () => signIn(server, home, 'ada@example.com', goodPassword))).toEqual(times(40, 200));
});

test('of 60 concurrent wrong passwords for one email ten are checked', async ({ server }) => {
  await account(server, 'ada@example.com');
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, turn) => signIn(server, elsewhere(turn), 'ada@example.com')),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
});

test('one address may sign up ten times, and then once every six minutes', async ({ server }) => {
  const next = (turn: number) => signUp(server, home, `person${turn}@example.com`);
  expect(await statuses(11, next)).toEqual([...times(10, 200), 429]);
  expect(await signUp(server, elsewhere(1), 'person11@example.com')).toMatchObject({ status: 200 });
  server.clock.advance(minutes(6));
  expect(await statuses(2, (turn) => next(turn + 20))).toEqual([200, 429]);
});

test('one address cannot use up the codes of an email, so others may still sign up with it', async ({ server }) => {
  expect(await statuses(11, () => signUp(server, elsewhere(1), 'ada@example.com'))).toEqual([
    ...times(3, 200),
    ...times(8, 429),
  ]);
  expect(await signUp(server, home, 'ada@example.com')).toMatchObject({ status: 200 });
});

test('the browser that signed up gets the time to wait, and may request a code after it', async ({ server }) => {
  const cookie = cookieOf(await signUp(server, home, 'ada@example.com'));
  server.clock.advance(seconds(20) - 250);
  const early = await resend(server, home, 'ada@example.com', cookie);
  expect(early).toMatchObject({ status: 429 });
  expect(early.headers.get('Retry-After')).toBe('100');
  server.clock.advance(seconds(100) - 250);
  expect(await resend(server, home, 'ada@example.com', cookie)).toMatchObject({ status: 200 });
});

test('one address may request 20 codes, and then one every three minutes', async ({ server }) => {
  const ask = (turn: number) => resend(server, home, `person${turn}@example.com`);
  expect(await statuses(21, ask)).toEqual([...times(20, 400), 429]);
  server.clock.advance(minutes(3));
  expect(await statuses(2, (turn) => ask(turn + 30))).toEqual([400, 429]);
});

test('thirty wrong codes from one address are checked', async ({ server }) => {
  const guess = () => post(server, home, 'verify-email', { code: '000000' });
  expect(await statuses(31, guess)).toEqual([...times(30, 400), 429]);
});

test.each([
  ['of an account', 'ada@example.com', 5],
  ['that nobody has', 'nobody@example.com', 0],
])('requests for reset links for an email %s succeed, and send five emails at most', async (_what, email, emails) => {
  await using server = await startLimited();
  await account(server, 'ada@example.com');
  const before = (await server.mail.emails()).length;
  const ask = (turn: number) => post(server, elsewhere(turn), 'request-password-reset', { email });
  expect(await statuses(8, ask)).toEqual(times(8, 200));
  expect((await server.mail.emails()).length - before).toBe(emails);
});

test('one address may request twenty reset links, and then one every three minutes', async ({ server }) => {
  const ask = (turn: number) => post(server, home, 'request-password-reset', { email: `person${turn}@example.com` });
  expect(await statuses(21, ask)).toEqual([...times(20, 200), 429]);
  server.clock.advance(minutes(3));
  expect(await statuses(2, (turn) => ask(turn + 30))).toEqual([200, 429]);
});

test('ten wrong old passwords are checked, from any addresses, and right ones do not count', async ({ server }) => {
  const { browser } = await signUpAndIn(server, { email: 'ada@example.com' });
  const change = async (turn: number, old_password: string) => {
    const form = { old_password, new_password: goodPassword, new_password2: goodPassword };
    const answer = await post(server, elsewhere(turn), 'change-password', form, cookiesOf(browser));
    answer.headers.getSetCookie().forEach(browser.keep);
    return answer;
  };
  expect(await statuses(5, (turn) => change(turn, goodPassword))).toEqual(times(5, 200));
  expect(await statuses(11, (turn) => change(turn, 'Wrong-Password-1'))).toEqual([...times(10, 403), 429]);
  expect(await change(0, goodPassword)).toMatchObject({ status: 429 });
});

test('after a reset the owner may change the password, although somebody has guessed the old one', async ({
  server,
}) => {
  const { browser } = await signUpAndIn(server, { email: 'ada@example.com' });
  const change = (turn: number, old_password: string, cookies: string) =>
    post(server, elsewhere(turn), 'change-password', { old_password, new_password: goodPassword }, cookies);
  const guess = (turn: number) => change(turn, 'Wrong-Password-1', cookiesOf(browser));
  expect(await statuses(11, guess)).toEqual([...times(10, 403), 429]);
  await post(server, home, 'request-password-reset', { email: 'ada@example.com' });
  const { body } = resetForm(await newestResetKey(server, 'ada@example.com'));
  expect(await post(server, home, 'reset-password', body)).toMatchObject({ status: 200 });
  const signedIn = await signIn(server, home, 'ada@example.com', newPassword);
  expect(await change(0, newPassword, cookieOf(signedIn) ?? '')).toMatchObject({ status: 200 });
});

test('ten successful password changes are made, then one each 144 minutes', async ({ server }) => {
  const { browser } = await signUpAndIn(server, { email: 'ada@example.com' });
  const change = async (turn: number) => {
    const form = { old_password: goodPassword, new_password: goodPassword };
    const answer = await post(server, elsewhere(turn), 'change-password', form, cookiesOf(browser));
    answer.headers.getSetCookie().forEach(browser.keep);
    return answer;
  };
  expect(await statuses(12, change)).toEqual([...times(10, 200), 429, 429]);
  server.clock.advance(minutes(144));
  expect(await statuses(2, change)).toEqual([200, 429]);
});

test('an account gets five new API keys a day, and one email about them in ten minutes', async ({ server }) => {
  const { browser } = await signUpAndIn(server, { email: 'ada@example.com' });
  const change = () => post(server, home, 'change-api-key', {}, cookiesOf(browser));
  const told = async () => (await server.mail.emails()).filter(({ subject }) => subject.includes('API key')).length;
  expect(await statuses(3, change)).toEqual(times(3, 200));
  expect(await told()).toBe(1);
  server.clock.advance(minutes(10));
  expect(await statuses(5, change)).toEqual([200, 200, 429, 429, 429]);
  expect(await told()).toBe(2);
  const refused = await change();
  expect(refused.json).toMatchObject({ error: { code: 'TOO_MANY_ATTEMPTS' } });
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(hours(23) / 1000);
});

/** Asks for links at this interval, and returns how many emails arrived. */
async function linksIn(server: TestServer, requests: number, every: number, email: (turn: number) => string) {
  const before = (await server.mail.emails()).length;
  for (let turn = 0; turn < requests; turn += 1) {
    await post(server, elsewhere(turn), 'request-password-reset', { email: email(turn) });
    // An email that waited for half an hour would have expired.
    await server.mail.emails();
    server.clock.advance(every - 250);
  }
  return (await server.mail.emails()).length - before;
}

test('a mailbox gets five reset links in an hour and twenty in a day', async ({ server }) => {
  await account(server, 'ada@example.com');
  expect(await linksIn(server, 8, minutes(7), () => 'ada@example.com')).toBe(5);
  expect(await linksIn(server, 46, minutes(30), () => 'ada@example.com')).toBeLessThanOrEqual(15);
});

test('spellings of one mailbox count together in the limits of emails', async ({ server }) => {
  const spellings = ['a.da@gmail.com', 'ada@gmail.com', 'ADA@googlemail.com', 'ad.a@gmail.com'];
  for (const email of spellings) await account(server, email);
  expect(await linksIn(server, 8, minutes(7), (turn) => spellings[turn % 4] ?? '')).toBe(5);
  const sameMailbox = (turn: number) =>
    signUp(server, elsewhere(turn), ['c.d@gmail.com', 'cd@gmail.com'][turn % 2] ?? '');
  expect(await statuses(7, sameMailbox)).toEqual([...times(5, 200), 429, 429]);
});

test('a person who never signed up gets six emails at once at most, from any number of addresses', async ({
  server,
}) => {
  const ask = async (turn: number) => {
    await signUp(server, elsewhere(turn), 'victim@example.com');
    await resend(server, elsewhere(turn), 'victim@example.com');
    return post(server, elsewhere(turn), 'request-password-reset', { email: 'victim@example.com' });
  };
  await statuses(15, ask);
  expect((await server.mail.emails()).length).toBe(6);
  for (let hour = 0; hour < 24; hour += 1) {
    server.clock.advance(hours(1));
    await ask(hour);
  }
  expect((await server.mail.emails()).length).toBeLessThanOrEqual(25);
});
