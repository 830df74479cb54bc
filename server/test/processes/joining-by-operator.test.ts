/** The commands by which an operator decides who joins: plans, owner-link, invite, account create and reset-password. */
import { expect, test } from 'vitest';
import { canSignIn } from '../harness/passwords.ts';
import { goodPassword } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { holdfast, holdfastJson, startHoldfast } from '../harness/holdfast.ts';
import { newPlace } from '../harness/new-place.ts';
import { signUp as signUpWithCode } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const secretOf = (link: unknown, name: string) =>
  new URLSearchParams(new URL(String(link)).hash.slice(1)).get(name) ?? '';

async function signUp(server: TestServer, email: string, invitation: string) {
  const browser = openBrowser(server);
  const body = { email, password: goodPassword, password2: goodPassword, invitation };
  const { signed_in } = await browser.client.createAccount({ body });
  return { browser, signed_in };
}

const auditOf = async (server: TestServer) => (await holdfastJson(server, 'audit')).map(({ action }) => action);

test('the owner link is the same for each command, makes one account on House, and then there is none', async () => {
  await using server = await startServer({ SIGN_UP: 'closed' });
  const [first] = await holdfastJson(server, 'owner-link');
  expect(await holdfastJson(server, 'owner-link')).toEqual([first]);
  const { browser, signed_in } = await signUp(server, 'ada@example.com', secretOf(first?.['link'], 'invitation'));
  expect(signed_in).toBe(true);
  expect((await browser.client.getAccountInfo()).account.info.level).toBe('House');
  expect(await holdfast(server, 'owner-link')).toEqual({
    code: 1,
    out: '',
    err: "There is an account already. 'holdfast account set-plan ADDRESS house' gives it the plan House.\n",
  });
});

test('the owner link waits for the first start of the server', async () => {
  const place = await newPlace();
  const asked = await startHoldfast(place, ['owner-link']);
  const server = await startHoldfast(place, ['serve'], { PORT: '0' });
  expect(await asked.ended).toMatchObject({ code: 0, out: expect.stringContaining('#invitation=') as string });
  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
});

test('an invitation is created, listed with its uses, and revoked, each in the audit log', async () => {
  await using server = await startServer({ SIGN_UP: 'invite' });
  const [created] = await holdfastJson(server, 'invite', 'create', '--plan', 'basic', '--uses', '2', '--verified');
  expect(created).toMatchObject({ plan: 'basic', uses: 2 });
  const token = secretOf(created?.['link'], 'invitation');
  await signUp(server, 'ada@example.com', token);
  const [listed] = await holdfastJson(server, 'invite', 'list');
  expect(listed).toMatchObject({
    id: created?.['id'],
    state: 'open',
    plan: 'basic',
    uses: 1,
    most_uses: 2,
    verified: true,
  });
  expect(JSON.stringify(listed)).not.toContain(token);
  const id = String(created?.['id']);
  expect(await holdfast(server, 'invite', 'revoke', id)).toMatchObject({ code: 0 });
  await expect(signUp(server, 'bob@example.com', token)).rejects.toMatchObject({ code: 'INVITATION_INVALID' });
  expect(await holdfast(server, 'invite', 'revoke', id)).toMatchObject({
    code: 1,
    err: `There is no invitation '${id}' that could be revoked.\n`,
  });
  expect(await canSignIn(server, 'ada@example.com')).toBe(true);
  expect(await auditOf(server)).toEqual(['invite revoke', 'invite create']);
});

test('an invitation says that its link works on one machine only while there is no public address', async () => {
  const hint = 'It opens on this machine only, until PUBLIC_URL is set.';
  await using local = await startServer();
  expect((await holdfast(local, 'invite', 'create')).out).toContain(hint);
  await using open = await startServer({ PUBLIC_URL: 'https://files.example' });
  expect((await holdfast(open, 'invite', 'create')).out).not.toContain(hint);
});

test.each([[['invite', 'create', '--uses', '0']], [['account', 'create', 'ada@example.com', '--plan', 'gold']]])(
  '%j is wrong usage and creates nothing',
  async (args) => {
    await using server = await startServer();
    expect(await holdfast(server, ...args)).toMatchObject({ code: 2, out: '' });
    expect(await holdfastJson(server, 'invite', 'list').catch(() => [])).toEqual([]);
  },
);

test('an account is created without an email, and its owner chooses the password by the newest link', async () => {
  await using server = await startServer({ SIGN_UP: 'closed' });
  const [created] = await holdfastJson(server, 'account', 'create', 'ada@example.com', '--plan', 'power');
  expect(created).toMatchObject({ email: 'ada@example.com', plan: 'power' });
  const [reset] = await holdfastJson(server, 'account', 'reset-password', 'ada@example.com');
  const choose = (link: unknown) =>
    openBrowser(server).client.resetPassword({
      body: { reset_key: secretOf(link, 'key'), password: goodPassword, password2: goodPassword },
    });
  await expect(choose(created?.['link'])).rejects.toMatchObject({ code: 'RESET_KEY_INVALID' });
  await choose(reset?.['link']);
  expect(await canSignIn(server, 'ada@example.com')).toBe(true);
  expect(await holdfast(server, 'account', 'create', 'ADA@example.com')).toMatchObject({
    code: 1,
    err: "There is an account 'ADA@example.com' already.\n",
  });
  expect(await auditOf(server)).toEqual(['account reset-password', 'account create']);
});

test('accounts that wait are listed, approved and rejected, each in the audit log', async () => {
  await using server = await startServer({ SIGN_UP: 'approval' });
  for (const email of ['ada@example.com', 'bob@example.com']) {
    const browser = await signUpWithCode(server, email);
    await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(email) } });
    server.clock.advance(1);
  }
  const waiting = async () => (await holdfastJson(server, 'account', 'list', '--waiting')).map(({ email }) => email);
  expect(await waiting()).toEqual(['ada@example.com', 'bob@example.com']);
  expect(await holdfast(server, 'account', 'approve', 'ADA@example.com')).toMatchObject({
    code: 0,
    out: 'ada@example.com can sign in.\n',
  });
  expect(await holdfast(server, 'account', 'reject', 'bob@example.com')).toMatchObject({ code: 0 });
  expect(await waiting()).toEqual([]);
  expect(await holdfast(server, 'account', 'reject', 'ada@example.com')).toMatchObject({
    code: 1,
    err: 'The account ada@example.com does not wait for approval.\n',
  });
  expect(await canSignIn(server, 'ada@example.com')).toBe(true);
  expect(await auditOf(server)).toEqual(['account reject', 'account approve']);
});

test('plans shows what is in force without a database, and names the values of the plans file', async () => {
  await using server = await startServer();
  const { ended } = await startHoldfast(server, ['plans', '--json'], { DEFAULT_PLAN: 'house', DATABASE_URL: '' });
  const shown = JSON.parse((await ended).out) as { default_plan: string; plans: Record<string, object> };
  expect(shown.default_plan).toBe('house');
  expect(shown.plans['free']).toMatchObject({ space_quota: 500_000_000, changed: [] });
  expect(shown.plans['house']).toMatchObject({ space_quota: Number.MAX_SAFE_INTEGER, allowed_extensions: null });
});
