import { expect } from 'vitest';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { deleteUnverified } from '../../src/jobs/delete-unverified.ts';
import { goodPassword, newEmail, signUpAndIn } from '../harness/accounts.ts';
import { beforeTransactions } from '../harness/before-transactions.ts';
import { openBrowser } from '../harness/browser.ts';
import { newestResetKey, resetForm } from '../harness/passwords.ts';
import { signUp } from '../harness/sign-ups.ts';
import { runOf } from '../harness/run-of.ts';
import { type TestServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const emailsIn = async ({ context }: TestServer) =>
  (await context.db.selectFrom('accounts').select('email').where('closed_at', 'is', null).execute()).map(
    (row) => row.email,
  );

test('an unverified account is deleted after seven days, with all personal data', async ({ server }) => {
  const [ada, ben] = [newEmail(), (await signUpAndIn(server)).email];
  await signUp(server, ada);
  server.clock.advance(days(8) + hours(1) - 1);
  expect(await server.runJob('delete-unverified')).toEqual({ accounts: 0 });
  server.clock.advance(1);
  expect(await server.runJob('delete-unverified', { dryRun: true })).toEqual({ accounts: 1 });
  expect(await emailsIn(server)).toEqual(expect.arrayContaining([ada, ben]));
  expect(await server.runJob('delete-unverified')).toEqual({ accounts: 1 });
  expect(await server.runJob('delete-unverified')).toEqual({ accounts: 0 });
  const { db } = server.context;
  const rows = JSON.stringify([
    await db.selectFrom('accounts').selectAll().execute(),
    await db.selectFrom('email_codes').selectAll().execute(),
    await db.selectFrom('reset_keys').selectAll().execute(),
    await db.selectFrom('sessions').selectAll().execute(),
  ]);
  expect(rows).not.toContain(ada.split('@')[0]);
  expect(rows).toContain(ben);
  expect(await db.selectFrom('email_codes').selectAll().execute()).toEqual([]);
});

test('calls after the deletion fail as for an unknown account, and the address is free', async ({ server }) => {
  const email = newEmail();
  const browser = await signUp(server, email);
  const code = await server.mail.newestSecretFor(email);
  server.clock.advance(days(9));
  await server.runJob('delete-unverified');
  const sent = (await server.mail.emails()).length;
  await expect(browser.client.verifyEmail({ body: { code } })).rejects.toMatchObject({ code: 'CODE_EXPIRED' });
  await expect(browser.client.login({ body: { email, password: goodPassword } })).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  });
  await expect(browser.client.verifyEmail({ body: { resend_code_to: email } })).rejects.toMatchObject({
    code: 'CODE_INVALID',
  });
  await browser.client.requestPasswordReset({ body: { email } });
  expect((await server.mail.emails()).length).toBe(sent);
  expect((await signUpAndIn(server, { email })).email).toBe(email);
});

test('the days begin with the last sign-up, and a browser that was sent a code has a day to ask for another', async ({
  server,
}) => {
  const [again, waiting] = [newEmail(), newEmail()];
  for (const email of [again, waiting]) await signUp(server, email);
  server.clock.advance(days(8));
  await signUp(server, again);
  await openBrowser(server)
    .client.login({ body: { email: waiting, password: goodPassword } })
    .catch(() => {});
  server.clock.advance(hours(23));
  expect(await server.runJob('delete-unverified')).toEqual({ accounts: 0 });
  server.clock.advance(days(7));
  expect(await server.runJob('delete-unverified')).toEqual({ accounts: 1 });
  expect(await emailsIn(server)).toEqual([again]);
});

test('signing up again or requesting a link extends the time before deletion', async ({ server }) => {
  const [coded, linked] = [newEmail(), newEmail()];
  for (const email of [coded, linked]) await signUp(server, email);
  server.clock.advance(days(8) + hours(1) - minutes(1));
  const browser = await signUp(server, coded);
  await browser.client.requestPasswordReset({ body: { email: linked } });
  server.clock.advance(minutes(5));
  expect(await server.runJob('delete-unverified')).toEqual({ accounts: 0 });
  await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(coded) } });
  await browser.client.resetPassword(resetForm(await newestResetKey(server, linked)));
  server.clock.advance(days(30));
  expect(await server.runJob('delete-unverified')).toEqual({ accounts: 0 });
  expect(await emailsIn(server)).toHaveLength(2);
});

test('150 unverified sign-ups do not exceed the deletion limit', async ({ server }) => {
  const { db, clock } = server.context;
  const row = { name: '', password_hash: 'x', level: 'free', key_sealed: '', last_active_at: 0 } as const;
  const ids = Array.from({ length: 150 }, (_, at) => `spam${at}`);
  const of = (id: string) => ({ id, email: id, email_key: id, key_hash: id, verified_at: null });
  await db
    .insertInto('accounts')
    .values(ids.map((id) => ({ ...row, ...of(id), created_at: clock.now() - days(9) })))
    .execute();
  expect(await server.runJob('delete-unverified')).toEqual({ accounts: 150 });
});

test('an account that is confirmed before its deletion is kept, and one after it is refused', async ({ server }) => {
  const [early, late] = [newEmail(), newEmail()];
  const browsers = [await signUp(server, early), await signUp(server, late)];
  const codes = [await server.mail.newestSecretFor(early), await server.mail.newestSecretFor(late)];
  const { context } = server;
  await context.db.updateTable('accounts').set({ created_at: 0 }).execute();
  const verify = (at: number) => browsers[at]?.client.verifyEmail({ body: { code: codes[at] ?? '' } });
  const db = beforeTransactions(context.db, async () => {
    if ((await emailsIn(server)).length < 2) return;
    await verify(0);
    await context.db.updateTable('email_codes').set({ expires_at: 1, sent_at: 1 }).execute();
  });
  expect(await deleteUnverified.run(runOf(server, { context: { ...context, db } }))).toEqual({ accounts: 1 });
  expect(await emailsIn(server)).toEqual([early]);
  await expect(verify(1)).rejects.toMatchObject({ code: 'CODE_EXPIRED' });
});
