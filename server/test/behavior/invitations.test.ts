/** Who may sign up: `SIGN_UP`, `ALLOWED_EMAIL_DOMAINS`, invitations and the link of the first owner. */
import { greeting } from '../../src/greeting.ts';
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Environment } from '../../src/config/read-setting.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { createAccount, newResetLink } from '../../src/accounts/change-account.ts';
import { createInvitation, listInvitations, ownerLink, revokeInvitation } from '../../src/accounts/invitations.ts';
import { goodPassword, newEmail, signUpAndIn } from '../harness/accounts.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { formWith, sendForm } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const actor = { operator: 'ada', action: 'test' };

const tokenOf = (link: string | undefined) => new URL(link ?? '').hash.replace('#invitation=', '');

interface Sent {
  readonly invitation?: string;
  readonly email?: string;
  readonly browser?: Browser;
}

/** Signs up, in a new browser by default, and returns the browser and what the server said. */
async function signUp(
  server: TestServer,
  { invitation, email = newEmail(), browser = openBrowser(server) }: Sent = {},
) {
  const body = { email, password: goodPassword, password2: goodPassword, ...(invitation && { invitation }) };
  const said = await browser.client.createAccount({ body }).then(
    ({ signed_in }) => (signed_in ? 'signed in' : 'code sent'),
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
  return { browser, email, said };
}

async function invite(server: TestServer, options: Partial<Parameters<typeof createInvitation>[2]> = {}) {
  const expiresAt = server.clock.now() + days(7);
  const { id, link } = await createInvitation(server.context, actor, {
    level: 'basic',
    mostUses: 1,
    verifies: false,
    expiresAt,
    ...options,
  });
  return { id, token: tokenOf(link) };
}

const usesOf = async ({ context }: TestServer) => (await listInvitations(context)).map(({ uses }) => uses);
const accountsIn = ({ context: { db } }: TestServer) =>
  db.selectFrom('accounts').select(['level', 'verified_at']).where('closed_at', 'is', null).execute();

test.each([
  ['open', 'code sent', 'code sent', 'signed in'],
  ['invite', 'INVITATION_REQUIRED', 'code sent', 'signed in'],
  ['closed', 'SIGN_UP_CLOSED', 'SIGN_UP_CLOSED', 'signed in'],
] as const)(
  'with SIGN_UP=%s a stranger gets %s, a guest %s and the first owner %s',
  async (mode, stranger, guest, owner) => {
    await using server = await startServer({ SIGN_UP: mode });
    const guests = await invite(server);
    const owners = await ownerLink(server.context);
    expect((await signUp(server)).said).toBe(stranger);
    expect((await signUp(server, { invitation: guests.token })).said).toBe(guest);
    expect(await usesOf(server)).toEqual([guest === 'code sent' ? 1 : 0]);
    expect((await signUp(server, { invitation: tokenOf(owners?.link) })).said).toBe(owner);
    expect((await signUp(server, { invitation: 'unknown' })).said).toBe('INVITATION_INVALID');
  },
);

test('the first owner is on House and verified at once, and uploads any file right away', async ({ server }) => {
  const link = (await ownerLink(server.context))?.link;
  const { browser, said } = await signUp(server, { invitation: tokenOf(link) });
  expect(said).toBe('signed in');
  const { account } = await browser.client.getAccountInfo();
  expect(account.info.level).toBe('House');
  const apiKey = account.info.api_key;
  expect(await sendForm(server, { apiKey }, formWith('x', 'pack.jar'))).toMatchObject({ success: true });
  expect(await server.mail.emails()).toEqual([]);
});

test('the link of the first owner works once, for a day, and only while nobody has an account', async ({ server }) => {
  const first = tokenOf((await ownerLink(server.context))?.link);
  // Every process and every start says the same one.
  expect(tokenOf((await ownerLink(server.context))?.link)).toBe(first);
  server.clock.advance(hours(24) + 1);
  const second = tokenOf((await ownerLink(server.context))?.link);
  expect(second).not.toBe(first);
  expect((await signUp(server, { invitation: first })).said).toBe('INVITATION_INVALID');
  // A stranger who has not entered a code does not keep the owner out.
  expect((await signUp(server)).said).toBe('code sent');
  const said = await Promise.all(Array.from({ length: 10 }, () => signUp(server, { invitation: second })));
  expect(said.map((each) => each.said).toSorted()).toEqual([...Array(9).fill('INVITATION_INVALID'), 'signed in']);
  expect(await ownerLink(server.context)).toBeNull();
});

test('after a change of the secret key every process prints one new owner link, which works', async ({ server }) => {
  const first = tokenOf((await ownerLink(server.context))?.link);
  server.clock.advance(1);
  const changed = { ...server.context, secret: randomBytes(32) };
  const links = await Promise.all(Array.from({ length: 5 }, () => ownerLink(changed)));
  const tokens = [...new Set(links.map((each) => tokenOf(each?.link)))];
  expect(tokens).toHaveLength(1);
  expect((await signUp(server, { invitation: first })).said).toBe('INVITATION_INVALID');
  expect((await signUp(server, { invitation: tokens[0] ?? '' })).said).toBe('signed in');
});

test('once somebody has an account, an owner link that was never used is dead', async ({ server }) => {
  const unused = tokenOf((await ownerLink(server.context))?.link);
  await signUpAndIn(server);
  expect((await signUp(server, { invitation: unused })).said).toBe('INVITATION_INVALID');
});

test('50 sign-ups at once with an invitation for one account make one account', async () => {
  await using server = await startServer({ SIGN_UP: 'invite' });
  const { token } = await invite(server, { verifies: true });
  const said = await Promise.all(Array.from({ length: 50 }, () => signUp(server, { invitation: token })));
  expect(said.filter((each) => each.said === 'signed in')).toHaveLength(1);
  expect(said.filter((each) => each.said === 'INVITATION_INVALID')).toHaveLength(49);
  expect(await accountsIn(server)).toHaveLength(1);
  expect(await usesOf(server)).toEqual([1]);
});

test('an invited account has the plan of the invitation after its code, and signing up again takes no second use', async () => {
  await using server = await startServer({ SIGN_UP: 'invite' });
  const { token } = await invite(server);
  const email = newEmail();
  expect((await signUp(server, { invitation: token, email })).said).toBe('code sent');
  server.clock.advance(hours(1));
  const { browser, said } = await signUp(server, { invitation: token, email });
  expect(said).toBe('code sent');
  expect(await usesOf(server)).toEqual([1]);
  await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(email) } });
  expect(await accountsIn(server)).toEqual([{ level: 'basic', verified_at: expect.any(Number) as number }]);
  expect((await signUp(server, { invitation: token })).said).toBe('INVITATION_INVALID');
  // The same person cannot use it for a second account either.
  expect((await signUp(server, { invitation: token, email })).said).toBe('INVITATION_INVALID');
});

test('a taken address, an expired or a revoked invitation takes no use', async ({ server }) => {
  const ada = await signUpAndIn(server);
  const { id, token } = await invite(server);
  expect((await signUp(server, { invitation: token, email: ada.email })).said).toBe('EMAIL_TAKEN');
  expect(await usesOf(server)).toEqual([0]);
  expect(await revokeInvitation(server.context, actor, id)).toBe(true);
  expect(await revokeInvitation(server.context, actor, id)).toBe(false);
  expect((await signUp(server, { invitation: token })).said).toBe('INVITATION_INVALID');
  const { token: short } = await invite(server, { expiresAt: server.clock.now() + hours(1) });
  server.clock.advance(hours(1));
  expect((await signUp(server, { invitation: short })).said).toBe('INVITATION_INVALID');
  expect((await listInvitations(server.context)).map(({ state }) => state).toSorted()).toEqual(['expired', 'revoked']);
});

test('an account that is never verified gives its use back when it is deleted', async () => {
  await using server = await startServer({ SIGN_UP: 'invite' });
  const { token } = await invite(server, { mostUses: 2, expiresAt: server.clock.now() + days(30) });
  const kept = await signUp(server, { invitation: token });
  await kept.browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(kept.email) } });
  await signUp(server, { invitation: token });
  expect(await usesOf(server)).toEqual([2]);
  server.clock.advance(days(9));
  await server.runJob('delete-unverified');
  expect(await usesOf(server)).toEqual([1]);
  expect((await signUp(server, { invitation: token })).said).toBe('code sent');
});

test('a browser that mistyped its address signs up again with its invitation', async () => {
  await using server = await startServer({ SIGN_UP: 'invite' });
  const { token } = await invite(server);
  const { browser } = await signUp(server, { invitation: token });
  const { email, said } = await signUp(server, { invitation: token, browser });
  expect(said).toBe('code sent');
  expect(await usesOf(server)).toEqual([1]);
  await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(email) } });
  expect(await accountsIn(server)).toEqual([{ level: 'basic', verified_at: expect.any(Number) as number }]);
  const rows = await server.context.db.selectFrom('accounts').select('email').execute();
  expect(rows.map((row) => row.email).toSorted()).toEqual(['', email]);
  // Once the account is verified, the same browser has no use to move.
  expect((await signUp(server, { invitation: token, browser })).said).toBe('INVITATION_INVALID');
});

test('only the browser of the newest sign-up moves the use to another address', async () => {
  await using server = await startServer({ SIGN_UP: 'invite' });
  const { token } = await invite(server);
  const first = await signUp(server, { invitation: token });
  // Somebody else who has the link signs up with the same address.
  server.clock.advance(hours(1));
  const second = await signUp(server, { invitation: token, email: first.email });
  for (const browser of [first.browser, openBrowser(server)])
    expect((await signUp(server, { invitation: token, browser })).said).toBe('INVITATION_INVALID');
  expect(await usesOf(server)).toEqual([1]);
  expect((await signUp(server, { invitation: token, browser: second.browser })).said).toBe('code sent');
  expect(await usesOf(server)).toEqual([1]);
});

test('a refused second address leaves the first sign-up as it is', async ({ server }) => {
  const ada = await signUpAndIn(server);
  const { token } = await invite(server);
  const { browser, email } = await signUp(server, { invitation: token });
  const code = await server.mail.newestSecretFor(email);
  expect((await signUp(server, { invitation: token, browser, email: ada.email })).said).toBe('EMAIL_TAKEN');
  expect(await usesOf(server)).toEqual([1]);
  await browser.client.verifyEmail({ body: { code } });
  expect(await accountsIn(server)).toHaveLength(2);
});

test('a sign-up that replaces one with another invitation, or with none, releases the use of the first', async ({
  server,
}) => {
  const old = await invite(server);
  const { email } = await signUp(server, { invitation: old.token });
  const next = await invite(server, { level: 'house' });
  server.clock.advance(hours(1));
  expect((await signUp(server, { invitation: next.token, email })).said).toBe('code sent');
  const uses = async () => new Map((await listInvitations(server.context)).map((each) => [each.id, each.uses]));
  expect(await uses()).toEqual(
    new Map([
      [old.id, 0],
      [next.id, 1],
    ]),
  );
  expect(await accountsIn(server)).toEqual([{ level: 'house', verified_at: null }]);
  server.clock.advance(hours(1));
  expect((await signUp(server, { email })).said).toBe('code sent');
  expect(await uses()).toEqual(
    new Map([
      [old.id, 0],
      [next.id, 0],
    ]),
  );
  expect(await accountsIn(server)).toEqual([{ level: 'free', verified_at: null }]);
});

test.each<[string, Environment, string]>([
  ['a@files.example.com', {}, 'code sent'],
  ['a@example.com', { ALLOWED_EMAIL_DOMAINS: 'example.com, example.org' }, 'code sent'],
  ['b@EXAMPLE.org', { ALLOWED_EMAIL_DOMAINS: 'example.com, example.org' }, 'code sent'],
  ['a@files.example.com', { ALLOWED_EMAIL_DOMAINS: 'example.com' }, 'EMAIL_DOMAIN_REFUSED'],
  ['a@notexample.com', { ALLOWED_EMAIL_DOMAINS: 'example.com' }, 'EMAIL_DOMAIN_REFUSED'],
])('%s may sign up with %o: %s', async (email, environment, said) => {
  await using server = await startServer(environment);
  expect((await signUp(server, { email })).said).toBe(said);
  const { token } = await invite(server);
  expect((await signUp(server, { email: `b.${email}`, invitation: token })).said).toBe(said);
  expect(await usesOf(server)).toEqual([said === 'code sent' ? 1 : 0]);
});

test('an operator creates an account on a closed site, and its owner chooses the password by a link that works once', async () => {
  await using server = await startServer({ SIGN_UP: 'closed' });
  const email = newEmail();
  const link = await createAccount(server.context, actor, email, 'house');
  await expect(createAccount(server.context, actor, email, 'house')).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
  await expect(createAccount(server.context, actor, 'ada', 'free')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const keyOf = (found: string) => new URL(found).hash.replace('#key=', '');
  const reset = (key: string, password: string) =>
    openBrowser(server)
      .client.resetPassword({ body: { reset_key: key, password, password2: password } })
      .then(
        () => 'done',
        (error: unknown) => (error as { code?: string }).code,
      );
  expect(await reset(keyOf(link), goodPassword)).toBe('done');
  expect(await reset(keyOf(link), goodPassword)).toBe('RESET_KEY_INVALID');
  const browser = openBrowser(server);
  await browser.client.login({ body: { email, password: goodPassword } });
  expect((await browser.client.getAccountInfo()).account.info.level).toBe('House');
  const account = await server.context.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
  const again = await newResetLink(server.context, actor, account);
  expect(await reset(keyOf(again), `${goodPassword}8`)).toBe('done');
});

test.each([
  ['open', /^People sign up at http:\S+\/sign-up$/m],
  ['approval', /^People sign up at http:\S+\/sign-up, and wait for 'holdfast account approve'$/m],
  ['invite', /^People sign up by the links of 'holdfast invite create'$/m],
  ['closed', /^Nobody can sign up, because SIGN_UP is closed$/m],
])('with SIGN_UP=%s a start says who can sign up once there is an account', async (SIGN_UP, line) => {
  await using server = await startServer({ SIGN_UP });
  expect(await greeting(server.context, server.url)).toMatch(/^Nobody has an account yet\. /m);
  await signUpAndIn(server);
  expect(await greeting(server.context, server.url)).toMatch(line);
});
