import { expect } from 'vitest';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { DeletionLimitExceeded } from '../../src/jobs/deletion-limit.ts';
import { newEmail, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { signUp } from '../harness/sign-ups.ts';
import { solvedToken } from '../harness/solved-token.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const nothing = {
  sessions: 0,
  email_codes: 0,
  reset_keys: 0,
  spent_challenges: 0,
  activity: 0,
};

test('sessions are deleted after 14 idle days or at an age of 30 days', async ({ server, account: { browser } }) => {
  const { browser: other } = await signUpAndIn(server);
  server.clock.advance(days(13));
  await browser.client.getAccountInfo();
  server.clock.advance(days(1) - 1);
  expect(await server.runJob('delete-expired')).toMatchObject({ sessions: 0 });
  server.clock.advance(1);
  expect(await server.runJob('delete-expired')).toMatchObject({ sessions: 1 });
  await expect(other.client.getAccountInfo()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  server.clock.advance(days(13) - 1);
  await browser.client.getAccountInfo();
  server.clock.advance(days(3));
  expect(await server.runJob('delete-expired')).toMatchObject({ sessions: 0 });
  await browser.client.getAccountInfo();
  server.clock.advance(1);
  expect(await server.runJob('delete-expired')).toMatchObject({ sessions: 1 });
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
});

test('codes, reset keys and solved bot checks are deleted when they are no longer needed', async () => {
  await using server = await startServer({ CAPTCHA: 'altcha', ALTCHA_DIFFICULTY: '1' });
  const { client } = openBrowser(server);
  const email = newEmail();
  const password = 'Correct-Horse-7';
  const captcha_token = await solvedToken(server, 'create_account');
  await client.createAccount({ body: { email, password, password2: password, captcha_token } });
  const asked = { email, captcha_token: await solvedToken(server, 'request_password_reset') };
  await client.requestPasswordReset({ body: asked });
  expect(await server.runJob('delete-expired')).toEqual(nothing);
  server.clock.advance(minutes(10));
  expect(await server.runJob('delete-expired')).toEqual({ ...nothing, spent_challenges: 2 });
  server.clock.advance(minutes(20));
  expect(await server.runJob('delete-expired', { dryRun: true })).toEqual({ ...nothing, reset_keys: 1 });
  expect(await server.runJob('delete-expired')).toEqual({ ...nothing, reset_keys: 1 });
  server.clock.advance(hours(23));
  expect(await server.runJob('delete-expired')).toEqual(nothing);
  server.clock.advance(minutes(30));
  expect(await server.runJob('delete-expired')).toEqual({ ...nothing, email_codes: 1 });
});

test('the number of codes sent in a day is kept for that day', async ({ server }) => {
  const email = newEmail();
  const browser = await signUp(server, email);
  for (let sent = 1; sent < 10; sent += 1) {
    server.clock.advance(minutes(15));
    await server.runJob('delete-expired');
    await browser.client.verifyEmail({ body: { resend_code_to: email } });
  }
  server.clock.advance(hours(6));
  await server.runJob('delete-expired');
  await expect(browser.client.verifyEmail({ body: { resend_code_to: email } })).rejects.toMatchObject({
    code: 'TOO_MANY_ATTEMPTS',
  });
});

test('activity is kept for a year', async ({ server }) => {
  const { db, clock } = server.context;
  await signUpAndIn(server);
  const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const happened = { account_id: id, event: 'inactivity' as const, name: 'n', original_name: 'o', size: 1 };
  const year = days(367) + hours(1);
  const ages = [days(370), year, year - 1, 0];
  await db
    .insertInto('activity')
    .values(ages.map((age, at) => ({ ...happened, id: `${at}`, happened_at: clock.now() - age })))
    .execute();
  await expect(server.runJob('delete-expired', { allowed: 1 })).rejects.toThrow('It would delete 2 of 2');
  expect(await server.runJob('delete-expired', { allowed: 2 })).toEqual({ ...nothing, activity: 2 });
  expect(await server.runJob('delete-expired')).toEqual(nothing);
});

test('a clock that jumps ten years ends all sessions and deletes no file', async ({ server }) => {
  const ada = await signUpAndIn(server);
  await uploadFile(server, ada);
  server.clock.advance(days(3650));
  for (const job of ['delete-expired', 'delete-unverified', 'purge', 'sweep-strays']) await server.runJob(job);
  expect(await server.context.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  expect((await ada.byKey.getFileList({ query: {} })).files).toHaveLength(1);
});

test('a clock that jumped ahead deletes activity only if an operator allows it', async ({ server }) => {
  await signUpAndIn(server);
  const { db } = server.context;
  const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const happened = server.clock.now();
  const line = { account_id: id, event: 'inactivity', name: 'n', original_name: 'o', size: 1 } as const;
  for (let from = 0; from < 10_500; from += 500)
    await db
      .insertInto('activity')
      .values(Array.from({ length: 500 }, (_, at) => ({ ...line, id: `${from + at}`, happened_at: happened })))
      .execute();
  server.clock.advance(days(3_652));
  await expect(server.runJob('delete-expired', { dryRun: true })).resolves.toMatchObject({ activity: 10_500 });
  await expect(server.runJob('delete-expired')).rejects.toThrow(DeletionLimitExceeded);
  const left = db.selectFrom('activity').select((eb) => eb.fn.countAll<number>().as('lines'));
  expect(await left.executeTakeFirstOrThrow()).toEqual({ lines: 10_500 });
  const { deletion_limit_exceeded_at: exceededAt } = await db
    .selectFrom('jobs')
    .selectAll()
    .where('name', '=', 'delete-expired')
    .executeTakeFirstOrThrow();
  expect(exceededAt).toBe(server.clock.now());
  // Rows without such a limit were still deleted.
  expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  expect(await server.runJob('delete-expired', { allowed: 10_500 })).toMatchObject({ activity: 10_500, sessions: 0 });
});
