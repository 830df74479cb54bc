import { expect, test } from 'vitest';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { canSignIn, newPassword, resetForm } from '../harness/passwords.ts';
import { holdfast, holdfastJson, startHoldfast } from '../harness/holdfast.ts';
import { openShop, payAt } from '../harness/shop.ts';
import { signUp } from '../harness/sign-ups.ts';
import { startServer } from '../harness/start-server.ts';
import { subscribed } from '../harness/subscribers.ts';
import { uploadFile } from '../harness/uploads.ts';

test('accounts are listed in order and in pages, and searched by a part of the email', async () => {
  await using server = await startServer();
  const emails = ['ada@example.com', 'bob_b@example.com', 'Cleo@other.example', 'd%d@example.com'];
  for (const email of emails) {
    await signUpAndIn(server, { email });
    server.clock.advance(1);
  }
  const listed = async (...args: string[]) => {
    const rows = await holdfastJson(server, 'account', 'list', ...args);
    return rows.map(({ email }) => email);
  };
  expect(await listed()).toEqual(emails);
  expect(await listed('--search', 'CLEO@')).toEqual(['Cleo@other.example']);
  expect(await listed('--search', '_b')).toEqual(['bob_b@example.com']);
  expect(await listed('--search', '%')).toEqual(['d%d@example.com']);
  const [first, second] = await holdfastJson(server, 'account', 'list', '--limit', '2');
  expect([first?.['email'], second?.['email']]).toEqual(emails.slice(0, 2));
  expect(await listed('--limit', '2', '--after', String(second?.['email']))).toEqual(emails.slice(2));
  expect(await listed('--plan', 'power')).toEqual([]);
  const { out, code } = await holdfast(server, 'account', 'list');
  expect({ code, last: out.trim().split('\n').at(-1) }).toEqual({ code: 0, last: '4 accounts' });
});

test('a granted plan applies at once, and can be revoked', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  const level = async () => (await ada.browser.client.getAccountInfo()).account.info.level;
  await holdfastJson(server, 'account', 'set-plan', ada.email.toUpperCase(), 'power');
  expect(await level()).toBe('Power');
  expect(await holdfast(server, 'account', 'set-plan', ada.email, 'free')).toMatchObject({
    code: 0,
    out: `${ada.email} has Free.\n`,
  });
  expect(await level()).toBe('Free');
  expect(await holdfastJson(server, 'audit', '--subject', ada.email)).toMatchObject([
    { action: 'account set-plan', details: { granted: 'free', before: 'power' } },
    { action: 'account set-plan', details: { granted: 'power', before: 'free', level: 'power' } },
  ]);
});

test('who has the link of an account verified by the operator signs in, and who signed up with it does not', async () => {
  await using server = await startServer();
  await signUp(server, 'ada@example.com');
  const browser = await signUp(server, 'ada@example.com', newPassword);
  const [verified] = await holdfastJson(server, 'account', 'verify', 'ada@example.com');
  expect(verified).toMatchObject({ changed: true });
  for (const password of [goodPassword, newPassword])
    expect(await canSignIn(server, 'ada@example.com', password)).toBe(false);
  const key = new URL(String(verified?.['link'])).hash.replace('#key=', '');
  await openBrowser(server).client.resetPassword(resetForm(key, goodPassword));
  expect(await canSignIn(server, 'ada@example.com')).toBe(true);
  const code = await server.mail.newestSecretFor('ada@example.com');
  await expect(browser.client.verifyEmail({ body: { code } })).rejects.toThrow();
  expect(await holdfastJson(server, 'account', 'verify', 'ada@example.com')).toMatchObject([{ changed: false }]);
  expect(await holdfastJson(server, 'audit')).toHaveLength(1);
});

test('a deleted account loses its files, and the log contains the reason', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  const name = await uploadFile(server, ada, 'hello');
  expect(await holdfast(server, 'account', 'delete', ada.email)).toEqual({
    code: 2,
    out: '',
    err: `This permanently deletes the account ${ada.email} with 1 file (5 B). There is no terminal to ask on: add --yes to continue.\n`,
  });
  expect((await call(server, `/file/${name}`)).status).toBe(200);
  await holdfastJson(server, 'account', 'delete', ada.email, '--yes', '--because', 'repeat infringer');
  expect((await call(server, `/file/${name}`)).status).toBe(404);
  await expect(
    openBrowser(server).client.login({ body: { email: ada.email, password: goodPassword } }),
  ).rejects.toThrow();
  server.clock.advance(60_000);
  const subjects = (await server.mail.emails()).map(({ subject }) => subject);
  expect(subjects).toContain('Your Holdfast account was deleted');
  expect(await holdfastJson(server, 'audit')).toMatchObject([
    { action: 'account delete', email: ada.email, details: { files: 1, bytes: 5, because: 'repeat infringer' } },
  ]);
  expect(await holdfast(server, 'account', 'delete', ada.email, '--yes')).toMatchObject({
    code: 1,
    err: `There is no open account '${ada.email}'.\n`,
  });
});

test('a checkout in an open tab cannot be paid once its account is deleted', async () => {
  await using shop = await openShop();
  const ada = await signUpAndIn(shop.server);
  const checkout = await shop.visit(ada.browser, 'basic_monthly');
  const { ended } = await startHoldfast(
    shop.server,
    ['account', 'delete', ada.email, '--yes'],
    shop.stripe.environment,
  );
  expect(await ended).toMatchObject({ code: 0, err: '' });
  expect(await payAt(checkout)).toBeNull();
});

test('account show reports plan, usage and the last activity', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server, { plan: 'basic' });
  await uploadFile(server, ada, 'hello');
  const [shown] = await holdfastJson(server, 'account', 'show', ada.email);
  expect(shown).toMatchObject({
    email: ada.email,
    plan: 'basic',
    verified: true,
    space_used: 5,
    slots_used: 1,
    slots_quota: 5_000,
    subscription: null,
    customer: null,
    takedowns: 0,
    last_active: new Date(server.clock.now()).toISOString(),
  });
  const { out } = await holdfast(server, 'account', 'show', ada.email);
  expect(out).toMatch(/^Files +1 file of 5,000 slots$/m);
});

test('the audit log names accounts by their ids, and the commands find the account of an id', async () => {
  await using server = await startServer();
  const { db } = server.context;
  const [ada, bob] = [await signUpAndIn(server), await signUpAndIn(server)];
  const { email } = ada;
  await holdfastJson(server, 'account', 'create', 'cleo@example.com');
  for (const args of [
    ['set-plan', email, 'basic'],
    ['reset-password', email],
    ['set-limits', email, '--files', '7'],
  ])
    await holdfastJson(server, 'account', ...args);
  const name = await uploadFile(server, ada, 'a song');
  await holdfastJson(server, 'file', 'take-down', name, '--case', 'A');
  await holdfastJson(server, 'file', 'restore', name);
  await holdfastJson(server, 'account', 'delete', bob.email, '--yes');
  const rows = await db.selectFrom('operator_actions').selectAll().execute();
  expect(rows).toHaveLength(7);
  expect(JSON.stringify(rows)).not.toContain('@');
  const accounts = await db.selectFrom('accounts').select(['id', 'email']).execute();
  for (const account of accounts) {
    const shown = await holdfastJson(server, 'account', 'show', '--id', account.id);
    expect(shown).toMatchObject([{ ...account, closed: account.email === bob.email ? expect.any(String) : null }]);
    const bySubject = await holdfastJson(server, 'audit', '--subject', account.id);
    expect(bySubject).toEqual(await holdfastJson(server, 'audit', '--subject', account.email));
    expect(bySubject[0]).toMatchObject({ subject: account.id, email: account.email });
  }
  expect((await holdfast(server, 'audit')).out).toContain(bob.email);
  await db.updateTable('accounts').set({ email: '', email_key: '' }).where('email', '=', bob.email).execute();
  expect((await holdfast(server, 'audit')).out).not.toContain(bob.email);
  expect(await holdfast(server, 'account', 'show', '--id', '-nobody')).toMatchObject({
    code: 1,
    err: "There is no account with the id '-nobody'.\n",
  });
  expect((await holdfast(server, 'account', 'show')).code).toBe(2);
});

test('account show and stats report what is paid for', async () => {
  await using shop = await openShop();
  const { person, customer } = await subscribed(shop);
  const [shown] = await holdfastJson(shop.server, 'account', 'show', person.email);
  expect(shown).toMatchObject({ customer, subscription: { level: 'Basic' } });
  expect((await holdfastJson(shop.server, 'stats'))[0]).toMatchObject({ payments: { paying: 1, to_end: 0 } });
});
