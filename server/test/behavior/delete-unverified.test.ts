import { expect, test } from 'vitest';
import { days, minutes } from '../../src/lib/clock.ts';
import { deleteUnverified } from '../../src/jobs/delete-unverified.ts';
import { goodPassword, newEmail, signUpAndIn } from '../harness/accounts.ts';
import { newestResetKey, resetForm } from '../harness/passwords.ts';
import { signUp, signUpForm } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const emailsIn = async ({ context }: TestServer) =>
  (await context.db.selectFrom('accounts').select('email').where('closed_at', 'is', null).execute()).map(
    (row) => row.email,
  );

test('an unverified account is deleted after seven days, with all personal data', async () => {
  await using server = await startServer();
  const [ada, ben] = [newEmail(), (await signUpAndIn(server)).email];
  await signUp(server, ada);
  server.clock.advance(days(7) - 1);
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

test('calls after the deletion fail as for an unknown account, and the address is free', async () => {
  await using server = await startServer();
  const email = newEmail();
  const browser = await signUp(server, email);
  const code = await server.mail.newestSecretFor(email);
  server.clock.advance(days(7));
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

test('signing up again or requesting a link extends the time before deletion', async () => {
  await using server = await startServer();
  const [coded, linked] = [newEmail(), newEmail()];
  for (const email of [coded, linked]) await signUp(server, email);
  server.clock.advance(days(7) - 1);
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

test('150 unverified sign-ups do not exceed the deletion limit', async () => {
  await using server = await startServer();
  const { db, clock } = server.context;
  const keys = Array.from({ length: 150 }, (_, at) => `spam${at}`);
  const row = { name: '', password_hash: 'x', level: 'free', key_sealed: '', last_active_at: 0 } as const;
  for (let from = 0; from < keys.length; from += 400)
    await db
      .insertInto('accounts')
      .values(
        keys.slice(from, from + 400).map((id) => ({
          ...row,
          id,
          email: id,
          email_key: id,
          key_hash: id,
          verified_at: null,
          created_at: clock.now() - days(8),
        })),
      )
      .execute();
  expect(await server.runJob('delete-unverified')).toEqual({ accounts: 150 });
});

test('a code confirmed during the deletion is accepted or refused with a known error', async () => {
  await using server = await startServer();
  const { db } = server.context;
  const ends = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const emails = Array.from({ length: 4 }, newEmail);
    const browsers = await Promise.all(emails.map((email) => signUp(server, email)));
    const codes = await Promise.all(emails.map((email) => server.mail.newestSecretFor(email)));
    // The accounts are old enough to be deleted, except for their codes; from this moment on the job does not wait for
    // those.
    await db.updateTable('accounts').set({ created_at: 0 }).where('verified_at', 'is', null).execute();
    const guesses = browsers.map((browser, at) => browser.client.verifyEmail({ body: { code: codes[at] ?? '' } }));
    const again = browsers.map((browser, at) => browser.client.createAccount(signUpForm(emails[at] ?? '')));
    const expire = db.updateTable('email_codes').set({ expires_at: 1 }).execute();
    const job = expire.then(() =>
      deleteUnverified.run({
        context: server.context,
        dryRun: false,
        signal: new AbortController().signal,
        deletionLimit: { check() {} },
      }),
    );
    const outcomes = await Promise.allSettled([...guesses, ...again, job]);
    for (const outcome of outcomes)
      ends.add(outcome.status === 'fulfilled' ? 'done' : String((outcome.reason as { code?: string }).code));
    for (const email of emails) {
      const rows = await db.selectFrom('accounts').selectAll().where('email', '=', email).execute();
      expect(rows.length).toBeLessThanOrEqual(1);
    }
  }
  for (const end of ends) expect(['done', 'CODE_EXPIRED', 'CODE_INVALID', 'EMAIL_TAKEN']).toContain(end);
});
