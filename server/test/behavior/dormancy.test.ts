/** Dormant accounts: the warnings, the deletion of the files, and the activity that prevents both. */
import { expect } from 'vitest';
import { endOfDay, lastDayBefore, lastZone } from '../../src/lib/calendar-days.ts';
import { days } from '../../src/lib/clock.ts';
import { dormancy } from '../../src/jobs/dormancy.ts';
import { stateOf } from '../harness/account-state.ts';
import { goodPassword, type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { beforeTransactions } from '../harness/before-transactions.ts';
import { openBrowser } from '../harness/browser.ts';
import { runOf } from '../harness/run-of.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

/** Runs the job on the given days after `start`, in order, and returns the results by day. */
async function runAt(server: TestServer, start: number, atDays: readonly number[]) {
  const did: Record<number, Record<string, number>> = {};
  for (const at of atDays) {
    server.clock.advance(start + days(at) - server.clock.now());
    did[at] = Object.fromEntries(Object.entries(await server.runJob('dormancy')).filter(([, count]) => count > 0));
    await server.emailWorker.flush();
  }
  return did;
}

async function warningsTo(server: TestServer, { email }: SignedIn) {
  const emails = await server.mail.emails();
  return emails.filter(({ to, subject }) => to === email && subject.includes('will be deleted'));
}

const almost = 1 / 86_400_000;

test('two emails are sent, 30 and 7 days ahead; after a year all files are deleted', async ({ server, account }) => {
  const name = await uploadFile(server, account);
  const favorite = await uploadFile(server, account, 'kept?');
  await account.byKey.toggleFavorite({ body: { file: favorite } });
  const start = server.clock.now();
  const did = await runAt(server, start, [1, 335, 336 - almost, 336, 337, 358, 359, 360, 366]);
  expect(did).toEqual({
    ...Object.fromEntries([1, 335, 336 - almost, 337, 358, 360, 366].map((day) => [day, {}])),
    336: { firstWarnings: 1 },
    359: { lastWarnings: 1 },
  });
  const emails = await warningsTo(server, account);
  const due = endOfDay(start + days(366), lastZone);
  const date = lastDayBefore(due, lastZone);
  expect(emails).toHaveLength(2);
  for (const { subject, text } of emails) {
    expect(subject).toBe(`Your Holdfast files will be deleted after ${date}`);
    expect(text).toContain(`Its files, including favorites, will be deleted after ${date}.`);
  }
  expect((await stateOf(server, account)).names).toHaveLength(2);

  server.clock.advance(due - server.clock.now() - 1);
  expect(await server.runJob('dormancy')).toMatchObject({ files: 0 });
  server.clock.advance(1);
  expect(await server.runJob('dormancy')).toMatchObject({ accounts: 1, files: 2 });
  expect(await runAt(server, start, [368])).toEqual({ 368: {} });
  const state = await stateOf(server, account);
  expect(state).toMatchObject({ names: [], space_used: 0, slots_used: 0 });
  expect(state.activity).toMatchObject([{ event: 'dormancy', files: 2 }]);
  expect([name, favorite]).toContain(state.activity[0]?.name);
  expect((await fetch(fileUrl(server, favorite))).status).toBe(404);
  expect(await warningsTo(server, account)).toHaveLength(2);
  const browser = openBrowser(server);
  await browser.client.login({ body: { email: account.email, password: goodPassword } });
});

test.each([
  [
    'a sign-in',
    (server: TestServer, { email }: SignedIn) =>
      openBrowser(server).client.login({ body: { email, password: goodPassword } }),
  ],
  ['a call with a session', (_: TestServer, { browser }: SignedIn) => browser.client.getAccountInfo()],
  ['a use of the key', (_: TestServer, { byKey }: SignedIn) => byKey.getAccountInfo()],
  ['an upload', (server: TestServer, account: SignedIn) => uploadFile(server, account)],
] as const)('%s counts as use', async (_, use) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  await uploadFile(server, account);
  const start = server.clock.now();
  server.clock.advance(days(10));
  await use(server, account);
  expect(await runAt(server, start, [336, 345, 346])).toEqual({ 336: {}, 345: {}, 346: { firstWarnings: 1 } });
});

test('a use after both warnings restarts the period, including both', async ({ server, account }) => {
  await uploadFile(server, account);
  await runAt(server, server.clock.now(), [336, 359, 365]);
  await account.byKey.getAccountInfo();
  const did = await runAt(server, server.clock.now(), [1, 335, 336, 359, 366, 367]);
  expect(did).toMatchObject({ 1: {}, 335: {}, 336: { firstWarnings: 1 }, 359: { lastWarnings: 1 }, 366: {} });
  expect(did[367]).toMatchObject({ accounts: 1 });
  expect(await warningsTo(server, account)).toHaveLength(4);
});

test('after a long outage both warnings are sent before the files are deleted', async ({ server, account }) => {
  await uploadFile(server, account);
  const start = server.clock.now();
  const did = await runAt(server, start, [700, 701, 722, 723, 730, 731]);
  expect(did).toEqual({
    700: { firstWarnings: 1 },
    701: {},
    722: {},
    723: { lastWarnings: 1 },
    730: {},
    731: { accounts: 1, files: 1 },
  });
});

test.each([
  ['active', {}],
  ['past_due', {}],
  ['ended', { firstWarnings: 1 }],
] as const)('an account whose subscription is %s gets %j', async (status, expected) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  await uploadFile(server, account);
  const { id } = await stateOf(server, account);
  await server.context.db.insertInto('subscriptions').values({ account_id: id, status }).execute();
  expect(await runAt(server, server.clock.now(), [340])).toEqual({ 340: expected });
});

test('an account without files gets no email', async ({ server }) => {
  await signUpAndIn(server);
  expect(await runAt(server, server.clock.now(), [340, 400])).toEqual({ 340: {}, 400: {} });
});

test('a dry run counts emails, accounts and files, and changes nothing', async ({ server }) => {
  const [early, late] = [await signUpAndIn(server), await signUpAndIn(server)];
  await storeRows(server, early, [{}, { favorite: true }]);
  const start = server.clock.now();
  await runAt(server, start, [336]);
  await uploadFile(server, late);
  const lateUse = server.clock.now();
  await runAt(server, start, [359]);
  server.clock.advance(lateUse + days(336) - server.clock.now());
  await server.context.db
    .updateTable('accounts')
    .set({ deletion_due_at: server.clock.now() })
    .where('email', '=', early.email)
    .execute();
  const before = await stateOf(server, early);
  const counted = { firstWarnings: 1, lastWarnings: 0, accounts: 1, files: 2 };
  expect(await server.runJob('dormancy', { dryRun: true })).toEqual(counted);
  expect(await stateOf(server, early)).toEqual(before);
  expect(await server.runJob('dormancy')).toEqual(counted);
});

test('the deletion limit applies, and an account active after the count keeps its files', async ({ server }) => {
  const account = await signUpAndIn(server);
  await storeRows(
    server,
    account,
    Array.from({ length: 300 }, () => ({})),
  );
  const start = server.clock.now();
  await runAt(server, start, [337, 360]);
  server.clock.advance(days(9));
  await expect(server.runJob('dormancy')).rejects.toThrow('It would delete 300 of 300');
  const { context, clock } = server;
  const comeBack = () => context.db.updateTable('accounts').set({ last_active_at: clock.now() }).execute();
  const db = beforeTransactions(context.db, comeBack);
  expect(await dormancy.run(runOf(server, { context: { ...context, db } }))).toMatchObject({ accounts: 0, files: 0 });
  expect((await stateOf(server, account)).names).toHaveLength(300);
});

test('two concurrent runs send one email', async ({ server, account }) => {
  await uploadFile(server, account);
  server.clock.advance(days(336));
  await Promise.all([dormancy.run(runOf(server)), dormancy.run(runOf(server))]);
  expect(await warningsTo(server, account)).toHaveLength(1);
});

test('a warning counts for the day that it names: a week later the owner is warned anew', async ({
  server,
  account,
}) => {
  await uploadFile(server, account);
  const start = server.clock.now();
  expect(await runAt(server, start, [336, 359, 375])).toEqual({
    336: { firstWarnings: 1 },
    359: { lastWarnings: 1 },
    375: { firstWarnings: 1 },
  });
  expect(await runAt(server, start, [397, 398, 405, 406])).toEqual({
    397: {},
    398: { lastWarnings: 1 },
    405: {},
    406: { accounts: 1, files: 1 },
  });
});
