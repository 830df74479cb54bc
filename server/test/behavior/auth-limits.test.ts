import { expect, test } from 'vitest';
import { hours, minutes, seconds } from '../../src/lib/clock.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import type { Answer } from '../harness/calls.ts';
import { callFrom, startLimited, statuses } from '../harness/limited-server.ts';
import { signUpForm, wrongCode } from '../harness/sign-ups.ts';
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
const withoutCookie = ({ status, text, headers }: Answer) => ({
  status,
  text,
  retryAfter: headers.get('Retry-After'),
  cookies: headers.getSetCookie().length,
});

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

test('after ten wrong passwords, the right password of the email is refused too', async () => {
  await using server = await startLimited();
  await account(server, 'ada@example.com');
  await statuses(10, (turn) => signIn(server, elsewhere(turn), 'ada@example.com'));
  expect(await signIn(server, home, 'ada@example.com', goodPassword)).toMatchObject({ status: 429 });
  server.clock.advance(minutes(3));
  expect(await signIn(server, home, 'ada@example.com', goodPassword)).toMatchObject({ status: 200 });
});

test('wrong passwords from elsewhere do not lock out a browser that has signed in with this email', async () => {
  await using server = await startLimited();
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

test('thirty wrong passwords from one address are checked, for any emails', async () => {
  await using server = await startLimited();
  const guess = (turn: number) => signIn(server, home, `person${turn}@example.com`);
  const found = await statuses(32, guess);
  expect(found).toEqual([...times(30, 401), 429, 429]);
  expect(await signIn(server, elsewhere(1), 'person40@example.com')).toMatchObject({ status: 401 });
  server.clock.advance(seconds(30));
  expect(await statuses(2, guess)).toEqual([401, 429]);
});

test('right passwords do not count towards the limit', async () => {
  await using server = await startLimited();
  await account(server, 'ada@example.com');
  expect(await statuses(40, () => signIn(server, home, 'ada@example.com', goodPassword))).toEqual(times(40, 200));
});

test('of 60 concurrent wrong passwords for one email ten are checked', async () => {
  await using server = await startLimited();
  await account(server, 'ada@example.com');
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, turn) => signIn(server, elsewhere(turn), 'ada@example.com')),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
});

test('one address may sign up ten times, and then once every six minutes', async () => {
  await using server = await startLimited();
  const next = (turn: number) => signUp(server, home, `person${turn}@example.com`);
  expect(await statuses(11, next)).toEqual([...times(10, 200), 429]);
  expect(await signUp(server, elsewhere(1), 'person11@example.com')).toMatchObject({ status: 200 });
  server.clock.advance(minutes(6));
  expect(await statuses(2, (turn) => next(turn + 20))).toEqual([200, 429]);
});

test('one address cannot use up the codes of an email, so others may still sign up with it', async () => {
  await using server = await startLimited();
  expect(await statuses(11, () => signUp(server, elsewhere(1), 'ada@example.com'))).toEqual([
    ...times(5, 200),
    ...times(6, 429),
  ]);
  expect(await signUp(server, home, 'ada@example.com')).toMatchObject({ status: 200 });
});

test('repeated requests for codes get the same responses for every email, waiting or not', async () => {
  await using server = await startLimited();
  await account(server, 'verified@example.com');
  server.clock.advance(minutes(10));
  await signUp(server, home, 'waiting@example.com');
  // The sign-up sent a code a moment ago, which other people must not learn.
  const seen = new Map<string, unknown[]>();
  const emails = ['waiting@example.com', 'verified@example.com', 'nobody@example.com'];
  const started = server.clock.now();
  for (const email of emails) {
    server.clock.advance(started - server.clock.now());
    const answers = [];
    let cookie: string | undefined;
    for (const wait of [0, 20, 120, 1]) {
      server.clock.advance(seconds(wait));
      const answer = await resend(server, elsewhere(emails.indexOf(email)), email, cookie);
      cookie = cookieOf(answer) ?? cookie;
      answers.push(withoutCookie(answer));
    }
    seen.set(email, answers);
  }
  const [waiting] = emails.map((email) => seen.get(email));
  expect(waiting).toMatchObject([
    { status: 200 },
    { status: 429, retryAfter: '100' },
    { status: 200 },
    { status: 429 },
  ]);
  for (const email of emails) expect(seen.get(email)).toEqual(waiting);
});

test('the browser that signed up gets the time to wait, and may request a code after it', async () => {
  await using server = await startLimited();
  const cookie = cookieOf(await signUp(server, home, 'ada@example.com'));
  server.clock.advance(seconds(20) - 250);
  const early = await resend(server, home, 'ada@example.com', cookie);
  expect(early).toMatchObject({ status: 429 });
  expect(early.headers.get('Retry-After')).toBe('100');
  server.clock.advance(seconds(100) - 250);
  expect(await resend(server, home, 'ada@example.com', cookie)).toMatchObject({ status: 200 });
});

test('one address may request 20 codes, and then one every three minutes', async () => {
  await using server = await startLimited();
  const ask = (turn: number) => resend(server, home, `person${turn}@example.com`);
  expect(await statuses(21, ask)).toEqual([...times(20, 200), 429]);
  server.clock.advance(minutes(3));
  expect(await statuses(2, (turn) => ask(turn + 30))).toEqual([200, 429]);
});

test('ten guesses of codes are checked, for a waiting and for an unknown email alike', async () => {
  await using server = await startLimited();
  await signUp(server, home, 'ada@example.com');
  const code = wrongCode(await server.mail.newestSecretFor('ada@example.com'));
  for (const email of ['ada@example.com', 'nobody@example.com']) {
    const guess = (turn: number) => post(server, elsewhere(turn), 'verify-email', { code, email });
    expect(await statuses(12, guess)).toEqual([...times(10, 400), 429, 429]);
  }
});

test('thirty wrong codes from one address are checked, for any emails', async () => {
  await using server = await startLimited();
  const guess = (turn: number) =>
    post(server, home, 'verify-email', { code: '000000', email: `person${turn}@example.com` });
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

test('one address may request twenty reset links, and then one every three minutes', async () => {
  await using server = await startLimited();
  const ask = (turn: number) => post(server, home, 'request-password-reset', { email: `person${turn}@example.com` });
  expect(await statuses(21, ask)).toEqual([...times(20, 200), 429]);
  server.clock.advance(minutes(3));
  expect(await statuses(2, (turn) => ask(turn + 30))).toEqual([200, 429]);
});

test('ten wrong old passwords are checked, from any addresses, and right ones do not count', async () => {
  await using server = await startLimited();
  const { browser } = await signUpAndIn(server, { email: 'ada@example.com' });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const change = (turn: number, old_password: string) =>
    post(
      server,
      elsewhere(turn),
      'change-password',
      { old_password, new_password: goodPassword, new_password2: goodPassword },
      cookie,
    );
  expect(await statuses(12, (turn) => change(turn, goodPassword))).toEqual(times(12, 200));
  expect(await statuses(11, (turn) => change(turn, 'Wrong-Password-1'))).toEqual([...times(10, 403), 429]);
  expect(await change(0, goodPassword)).toMatchObject({ status: 429 });
});

test('a day after many wrong passwords the email has ten attempts again', async () => {
  await using server = await startLimited();
  await account(server, 'ada@example.com');
  for (let turn = 0; turn < 20; turn += 1) await signIn(server, elsewhere(turn), 'ada@example.com');
  server.clock.advance(hours(24));
  expect(await statuses(11, (turn) => signIn(server, elsewhere(turn), 'ada@example.com'))).toEqual([
    ...times(10, 401),
    429,
  ]);
});
