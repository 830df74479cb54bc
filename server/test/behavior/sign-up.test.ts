import { expect } from 'vitest';
import { goodPassword, newEmail, type SignedIn, signUpAndIn, signUpByCalls } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { signUp, signUpForm } from '../harness/sign-ups.ts';
import { startServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

test('a sign-up creates an unverified Free account and emails a six-digit code to it', async ({ server }) => {
  await signUp(server, 'Ada.Lovelace@Example.com');
  const accounts = await server.context.db.selectFrom('accounts').selectAll().execute();
  expect(accounts).toMatchObject([
    { email: 'Ada.Lovelace@Example.com', name: 'Ada.Lovelace', level: 'free', verified_at: null },
  ]);
  expect(await server.mail.emails()).toHaveLength(1);
  const [email] = await server.mail.emails();
  expect(email?.to).toBe('Ada.Lovelace@Example.com');
  expect(email?.secret).toMatch(/^\d{6}$/);
  expect(email?.text).toContain(email?.secret);
  expect(email?.html).toContain(email?.secret);
});

test('a verified email cannot sign up again, in upper or lower case', async ({ server }) => {
  const { browser } = await signUpAndIn(server, { email: 'ada@example.com' });
  const emails = (await server.mail.emails()).length;
  for (const email of ['ada@example.com', 'ADA@EXAMPLE.COM'])
    await expect(signUp(server, email, 'Another-Pass-1')).rejects.toMatchObject({ status: 409, code: 'EMAIL_TAKEN' });
  expect(await server.mail.emails()).toHaveLength(emails);
  await browser.client.login({ body: { email: 'ada@example.com', password: goodPassword } });
});

test('signing up again with an unverified email replaces the password and emails a new code', async ({ server }) => {
  await signUp(server, 'ada@example.com', 'First-Password-1');
  const firstCode = await server.mail.newestSecretFor('ada@example.com');
  const later = await signUp(server, 'ADA@example.com', 'Second-Password-2');
  expect(await server.mail.emails()).toHaveLength(2);
  const secondCode = await server.mail.newestSecretFor('ada@example.com');
  if (firstCode !== secondCode)
    await expect(later.client.verifyEmail({ body: { code: firstCode } })).rejects.toMatchObject({
      code: 'CODE_INVALID',
    });
  await later.client.verifyEmail({ body: { code: secondCode } });
  const signIn = (password: string) => later.client.login({ body: { email: 'ada@example.com', password } });
  await expect(signIn('First-Password-1')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  await signIn('Second-Password-2');
  expect(await server.context.db.selectFrom('accounts').select('id').execute()).toHaveLength(1);
});

test('the browser of an earlier sign-up cannot confirm a later one', async ({ server }) => {
  const earlier = await signUp(server, 'ada@example.com', 'First-Password-1');
  const later = await signUp(server, 'ada@example.com', 'Second-Password-2');
  const code = await server.mail.newestSecretFor('ada@example.com');
  await expect(earlier.client.verifyEmail({ body: { code } })).rejects.toMatchObject({ code: 'CODE_INVALID' });
  await later.client.verifyEmail({ body: { code } });
});

test('concurrent sign-ups with one email make one account that can be verified', async ({ server }) => {
  const results = await Promise.all(
    ['ada@example.com', 'Ada@example.com', 'ADA@example.com'].map((email) => signUp(server, email)),
  );
  expect(await server.context.db.selectFrom('accounts').select('id').execute()).toHaveLength(1);
  const verified = await Promise.allSettled(
    (await server.mail.emails()).flatMap(({ secret }) =>
      results.map((browser) => browser.client.verifyEmail({ body: { code: secret ?? '' } })),
    ),
  );
  expect(verified.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('an eleventh code in a day is refused, and the password is not replaced', async ({ server }) => {
  for (let count = 0; count < 10; count += 1) await signUp(server, 'ada@example.com', `Password-${count}-x`);
  await expect(signUp(server, 'ada@example.com', 'Password-late-10')).rejects.toMatchObject({
    status: 429,
    code: 'TOO_MANY_ATTEMPTS',
    retryAfterSeconds: 86_400,
  });
  expect(await server.mail.emails()).toHaveLength(10);
  const browser = openBrowser(server);
  const signIn = (password: string) => browser.client.login({ body: { email: 'ada@example.com', password } });
  await expect(signIn('Password-late-10')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  await expect(signIn('Password-9-x')).rejects.toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
  server.clock.advance(86_400_000);
  await signUp(server, 'ada@example.com');
});

const wrongForms: readonly [string, object, string][] = [
  ['no email', { email: undefined }, 'Email is required'],
  ['an email without a host', { email: 'ada@' }, 'Enter a valid email address'],
  ['a line break in the email', { email: 'ada@example.com\r\nBcc: eve@example.com' }, 'Enter a valid email address'],
  ['a plus sign in the email', { email: 'ada+2@example.com' }, "Address must not contain a '+'."],
  ['a password of 7 characters', { password: 'Short-7', password2: 'Short-7' }, 'Minimum 8 characters'],
  ['no capital', { password: 'no-capital-1' }, 'Must include uppercase, lowercase, and a number'],
  ['no second password', { password2: undefined }, 'Please confirm your password'],
  ['two passwords', { password2: 'Correct-Horse-8' }, 'Passwords do not match'],
];

test.each(wrongForms)('a sign-up with %s is refused with the message of its form', async (_what, wrong, message) => {
  await using server = await startServer();
  const body = { ...signUpForm(newEmail()).body, ...wrong };
  const answer = await call(server, '/api/v3/session/create-account', { method: 'POST', body });
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual({ success: false, error: { code: 'INVALID_INPUT', message } });
  expect(await server.context.db.selectFrom('accounts').select('id').execute()).toEqual([]);
});

test('a password may be at most 256 bytes long', async ({ server }) => {
  await signUp(server, newEmail(), `Aa1${'x'.repeat(253)}`);
  await signUp(server, newEmail(), `Aa1${'é'.repeat(126)}x`);
  for (const password of [`Aa1${'x'.repeat(254)}`, `Aa1${'é'.repeat(127)}`])
    await expect(signUp(server, newEmail(), password)).rejects.toMatchObject({ status: 400, code: 'INVALID_INPUT' });
});

test('an account inserted by a test equals one that signed up by calls', async ({ server }) => {
  const { context } = server;
  const rowsOf = async ({ email, browser, apiKey, byKey }: SignedIn) => {
    const { id, ...columns } = await context.db
      .selectFrom('accounts')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const [session] = await context.db.selectFrom('sessions').selectAll().where('account_id', '=', id).execute();
    const own = new Set<unknown>([id, email, columns.name, apiKey, ...Object.values(session ?? {})]);
    const facts = { columns, session, cookies: [...browser.cookies.keys()], info: await byKey.getAccountInfo() };
    // Replaces what differs between any two accounts: keys, hashes, times and names.
    return JSON.parse(JSON.stringify(facts), (key, value: unknown) =>
      own.has(value) || /_(hash|sealed|key|at)$/.test(key) ? typeof value : value,
    ) as unknown;
  };
  expect(await rowsOf(await signUpAndIn(server, { plan: 'power' }))).toEqual(
    await rowsOf(await signUpByCalls(server, { plan: 'power' })),
  );
});
