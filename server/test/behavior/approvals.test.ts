/** `SIGN_UP=approval`: a new account waits for the operator after its code. */
import { expect } from 'vitest';
import { days, hours } from '../../src/lib/clock.ts';
import { createAccount, decideOnAccount, verifyAccount } from '../../src/accounts/change-account.ts';
import { createInvitation } from '../../src/accounts/invitations.ts';
import { listAccounts } from '../../src/accounts/list-accounts.ts';
import { openApiKey } from '../../src/accounts/api-key.ts';
import { goodPassword, newEmail } from '../harness/accounts.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { resetForm } from '../harness/passwords.ts';
import { signUp, signUpForm } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { testOn } from '../harness/server-test.ts';

const actor = { operator: 'ada', action: 'test' };
const operator = 'operator@example.com';
const start = () => startServer({ SIGN_UP: 'approval', CONTACT_EMAIL: operator });
const test = testOn(start);

const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );
const logIn = (server: TestServer, email: string) =>
  codeOf(openBrowser(server).client.login({ body: { email, password: goodPassword } }));
const rowOf = ({ context: { db } }: TestServer, email: string) =>
  db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
const mailsTo = async ({ mail }: TestServer, address: string) =>
  (await mail.emails()).filter(({ to }) => to === address).map(({ subject }) => subject);

async function waitingIn({ context }: TestServer): Promise<string[]> {
  const found: string[] = [];
  for await (const { email } of listAccounts(context, { waiting: true })) found.push(email);
  return found;
}

/** Signs up and enters the code. */
async function ask(server: TestServer): Promise<{ email: string; browser: Browser; message: string }> {
  const email = newEmail();
  const browser = await signUp(server, email);
  const { message } = await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(email) } });
  return { email, browser, message };
}

test('an account waits after its code, tells the operator once, and can do nothing until it is approved', async ({
  server,
}) => {
  const { email, message } = await ask(server);
  expect(message).toBe('Your address is confirmed. You can sign in as soon as the operator has approved your account.');
  expect(await mailsTo(server, operator)).toEqual([`${email} wants to join Holdfast`]);
  expect(await logIn(server, email)).toBe('ACCOUNT_WAITING');
  const row = await rowOf(server, email);
  const key = openApiKey(server.context, row.id, row.key_sealed);
  const byKey = await fetch(`${server.url}/api/v3/rest/get-account-info`, { headers: { 'X-API-Key': key } });
  expect(byKey.status).toBe(401);
  expect(await codeOf(openBrowser(server).client.createAccount(signUpForm(email)))).toBe('EMAIL_TAKEN');
  expect(await decideOnAccount(server.context, actor, row, 'approve')).not.toBeNull();
  expect(await logIn(server, email)).toBe('done');
  expect((await mailsTo(server, email)).at(-1)).toBe('Your Holdfast account is ready');
  expect(await mailsTo(server, operator)).toHaveLength(1);
});

test('a reset link changes the password and lets nobody in', async ({ server }) => {
  const { email } = await ask(server);
  server.clock.advance(days(1));
  await openBrowser(server).client.requestPasswordReset({ body: { email } });
  const key = new URL(await server.mail.newestSecretFor(email)).hash.replace('#key=', '');
  const password = `${goodPassword}8`;
  await openBrowser(server).client.resetPassword({
    body: { reset_key: decodeURIComponent(key), password, password2: password },
  });
  expect(await codeOf(openBrowser(server).client.login({ body: { email, password } }))).toBe('ACCOUNT_WAITING');
  expect(await mailsTo(server, operator)).toHaveLength(1);
});

test('a reset link proves the address of a sign-up whose code was never entered, which then waits', async ({
  server,
}) => {
  const email = newEmail();
  await signUp(server, email);
  server.clock.advance(days(1));
  await openBrowser(server).client.requestPasswordReset({ body: { email } });
  const key = new URL(await server.mail.newestSecretFor(email)).hash.replace('#key=', '');
  await openBrowser(server).client.resetPassword({
    body: { reset_key: decodeURIComponent(key), password: goodPassword, password2: goodPassword },
  });
  expect(await logIn(server, email)).toBe('ACCOUNT_WAITING');
  expect(await mailsTo(server, operator)).toEqual([`${email} wants to join Holdfast`]);
});

test('of 20 answers at once one counts, and each is final', async ({ server }) => {
  const { email } = await ask(server);
  const row = await rowOf(server, email);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      decideOnAccount(server.context, actor, row, at % 2 === 0 ? 'approve' : 'reject'),
    ),
  );
  expect(answers.filter(Boolean)).toHaveLength(1);
  const isApproved = answers.indexOf(true) % 2 === 0;
  expect(await logIn(server, email)).toBe(isApproved ? 'done' : 'INVALID_CREDENTIALS');
});

test('a rejected account is deleted, its owner is told, and the address may ask again', async ({ server }) => {
  const { email } = await ask(server);
  const row = await rowOf(server, email);
  expect(await decideOnAccount(server.context, actor, row, 'reject')).toBe(true);
  expect(await decideOnAccount(server.context, actor, row, 'reject')).toBe(false);
  expect(await decideOnAccount(server.context, actor, row, 'approve')).toBe(false);
  expect((await mailsTo(server, email)).at(-1)).toBe('Your Holdfast account was not approved');
  expect(await logIn(server, email)).toBe('INVALID_CREDENTIALS');
  expect(await codeOf(openBrowser(server).client.createAccount(signUpForm(email)))).toBe('done');
});

test('an account that has not entered its code cannot be approved, only verified', async ({ server }) => {
  const email = newEmail();
  await signUp(server, email);
  const row = await rowOf(server, email);
  expect(await decideOnAccount(server.context, actor, row, 'approve')).toBe(false);
  const key = new URL((await verifyAccount(server.context, actor, row)) ?? '').hash.replace('#key=', '');
  await openBrowser(server).client.resetPassword(resetForm(key, goodPassword));
  expect(await logIn(server, email)).toBe('done');
});

test('people with an invitation do not wait', async ({ server }) => {
  const expiresAt = server.clock.now() + days(1);
  const { link } = await createInvitation(server.context, actor, {
    level: 'basic',
    mostUses: 1,
    verifies: false,
    expiresAt,
  });
  const email = newEmail();
  const browser = openBrowser(server);
  const { body } = signUpForm(email);
  await browser.client.createAccount({ body: { ...body, invitation: new URL(link).hash.replace('#invitation=', '') } });
  await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(email) } });
  expect(await logIn(server, email)).toBe('done');
  expect(await mailsTo(server, operator)).toEqual([]);
});

test.each([
  ['open', 'approval', 'ACCOUNT_WAITING'],
  ['approval', 'open', 'done'],
] as const)(
  'an address that signed up with SIGN_UP=%s and again with %s can sign in: %s',
  async (before, later, said) => {
    await using server = await start();
    const email = newEmail();
    // The server reads the mode when it starts.
    Object.assign(server.context.config, { signUp: before });
    await signUp(server, email);
    server.clock.advance(hours(1));
    Object.assign(server.context.config, { signUp: later });
    const browser = await signUp(server, email);
    await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(email) } });
    expect(await logIn(server, email)).toBe(said);
  },
);

test('an account that the operator creates has its plan and never waits, even if somebody signed up with the address before', async ({
  server,
}) => {
  const email = newEmail();
  await signUp(server, email);
  const link = await createAccount(server.context, actor, email, 'house');
  expect(await rowOf(server, email)).toMatchObject({ level: 'house', granted_level: 'house', needs_approval: 0 });
  await openBrowser(server).client.resetPassword({
    body: {
      reset_key: decodeURIComponent(new URL(link).hash.replace('#key=', '')),
      password: goodPassword,
      password2: goodPassword,
    },
  });
  expect(await logIn(server, email)).toBe('done');
  expect(await waitingIn(server)).toEqual([]);
});

test('a verified account is not in the list of those that wait', async ({ server }) => {
  const { email } = await ask(server);
  expect(await waitingIn(server)).toEqual([email]);
  await server.context.db.updateTable('accounts').set({ verified_at: server.clock.now() }).execute();
  expect(await waitingIn(server)).toEqual([]);
});

test('an account that waits is not deleted as unverified', async ({ server }) => {
  const { email } = await ask(server);
  const late = newEmail();
  await signUp(server, late);
  server.clock.advance(days(9));
  await server.runJob('delete-unverified');
  expect(await logIn(server, email)).toBe('ACCOUNT_WAITING');
  expect(await logIn(server, late)).toBe('INVALID_CREDENTIALS');
});
