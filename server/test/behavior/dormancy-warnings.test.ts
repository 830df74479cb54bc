/** Inactivity deletes nothing without a warning: a warning counts once a mail server has accepted it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { days, seconds } from '../../src/lib/clock.ts';
import { openEmailWorker } from '../../src/email/worker.ts';
import { findBytes } from '../../src/moderation/find-file.ts';
import { quarantine } from '../../src/moderation/quarantine.ts';
import { restore } from '../../src/moderation/restore-file.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { goodPassword, type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { readEml } from '../harness/read-eml.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

interface Owner {
  readonly account: SignedIn;
  readonly name: string;
  /** Time of the last use of the account. */
  readonly start: number;
}

async function ownerOf(server: TestServer): Promise<Owner> {
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account);
  return { account, name, start: server.clock.now() };
}

const job = async (server: TestServer) =>
  Object.fromEntries(Object.entries(await server.runJob('dormancy')).filter(([, count]) => count > 0));

/** Runs each night up to that day after `start`, including the email worker; returns the sums of the results. */
async function nightsUntil(server: TestServer, start: number, day: number) {
  const sums: Record<string, number> = {};
  const end = start + days(day);
  while (server.clock.now() < end) {
    server.clock.advance(Math.min(days(1), end - server.clock.now()));
    for (const [what, count] of Object.entries(await job(server))) sums[what] = (sums[what] ?? 0) + count;
    await server.emailWorker.flush();
  }
  return sums;
}

const to = async (server: TestServer, day: number, start: number) =>
  server.clock.advance(start + days(day) - server.clock.now());
const signIn = (server: TestServer, { account: { email } }: Owner) =>
  openBrowser(server).client.login({ body: { email, password: goodPassword } });
const statusOf = async (server: TestServer, { name }: Owner) => (await fetch(fileUrl(server, name))).status;
const waiting = ({ context: { db } }: TestServer) => db.selectFrom('outgoing_emails').selectAll().execute();
const warned = ({ context: { db } }: TestServer) =>
  db
    .selectFrom('accounts')
    .select(['first_warned_at', 'last_warned_at', 'warning_failed_at', 'deletion_due_at'])
    .executeTakeFirstOrThrow();
/** Stops the server's own email worker. It runs every few seconds and would send what the test's own worker should. */
const onlyOwnWorkers = ({ emailWorker: mailServer }: TestServer) => mailServer[Symbol.asyncDispose]();
const codeIn = (text = '') => /^ {4}(\d{6})\r?$/m.exec(text)?.[1] ?? 'none';
const isWarning = ({ subject }: { readonly subject: string }) => subject.includes('will be deleted');
const dateIn = (subject = '') => Date.parse(`${/ after (.+)$/.exec(subject)?.[1]} UTC`);

test('while the mail server is unavailable nothing is deleted; then the 30 days begin', async ({ server }) => {
  const owner = await ownerOf(server);
  await to(server, 335, owner.start);
  server.mail.server.says = 'nothing';
  for (const day of [336, 359, 366, 400]) {
    expect((await nightsUntil(server, owner.start, day))['files'], `day ${day}`).toBeUndefined();
    expect(await statusOf(server, owner)).toBe(200);
  }
  expect(await warned(server)).toMatchObject({ first_warned_at: 0, last_warned_at: 0 });
  // Three days of attempts and seven of rest.
  const told = server.log.filter((line) => line.includes('could not be warned'));
  expect(told.length).toBeGreaterThanOrEqual(6);
  expect(told.length).toBeLessThanOrEqual(7);
  expect(told.filter((line) => line.includes('"level":50'))).toHaveLength(1);

  server.mail.server.says = 'yes';
  await nightsUntil(server, owner.start, 410);
  const { first_warned_at: first, deletion_due_at: due } = await warned(server);
  expect(first).toBeGreaterThan(owner.start + days(400));
  expect(due).toBeGreaterThanOrEqual(first + days(30));
  await to(server, 0, due - days(8) - 1);
  expect(await job(server)).toEqual({});
  server.clock.advance(1);
  expect(await job(server)).toEqual({ lastWarnings: 1 });
  await server.emailWorker.flush();
  await to(server, 0, due - 1);
  expect(await job(server)).toEqual({});
  server.clock.advance(1);
  expect(await job(server)).toEqual({ accounts: 1, files: 1 });
  const warnings = (await server.mail.emails()).filter(isWarning);
  expect(warnings).toHaveLength(2);
  for (const { subject } of warnings) expect(dateIn(subject)).toBeLessThanOrEqual(server.clock.now());
});

test('a waiting warning is not queued again, and counts from its delivery to the mail server', async ({ server }) => {
  const owner = await ownerOf(server);
  server.mail.server.says = 'nothing';
  await to(server, 336, owner.start);
  expect(await job(server)).toEqual({ firstWarnings: 1 });
  await server.emailWorker.flush();
  server.clock.advance(days(1));
  expect(await job(server)).toEqual({});
  expect(await waiting(server)).toHaveLength(1);
  server.mail.server.says = 'yes';
  server.clock.advance(days(1));
  await server.emailWorker.flush();
  expect(await warned(server)).toMatchObject({
    first_warned_at: owner.start + days(338),
    last_warned_at: 0,
    warning_failed_at: 0,
  });
  expect(await nightsUntil(server, owner.start, 358)).toEqual({});
  expect(await nightsUntil(server, owner.start, 359)).toEqual({ lastWarnings: 1 });
  // The last one names a later day than the first, 30 days after which the owner has had it.
  expect(await nightsUntil(server, owner.start, 368)).toEqual({});
  expect(await nightsUntil(server, owner.start, 369)).toEqual({ accounts: 1, files: 1 });
});

test('if the last warning is refused, nothing is deleted and it is sent again every week', async ({ server }) => {
  const owner = await ownerOf(server);
  await to(server, 335, owner.start);
  await nightsUntil(server, owner.start, 340);
  server.mail.server.says = 'no';
  expect(await nightsUntil(server, owner.start, 429)).toEqual({ lastWarnings: 11 });
  expect(await statusOf(server, owner)).toBe(200);
  expect(server.log.filter((line) => line.includes('could not be warned') && line.includes('"level":50'))).toHaveLength(
    1,
  );
  server.mail.server.says = 'yes';
  expect(await nightsUntil(server, owner.start, 436)).toEqual({ lastWarnings: 1 });
  const { last_warned_at: last } = await warned(server);
  expect(await nightsUntil(server, last, 7)).toEqual({});
  expect(await nightsUntil(server, last, 8)).toEqual({ accounts: 1, files: 1 });
});

test('an owner who returns while the warning waits gets none, and is warned a year later', async ({ server }) => {
  const owner = await ownerOf(server);
  server.mail.server.says = 'nothing';
  await to(server, 336, owner.start);
  await job(server);
  await server.emailWorker.flush();
  server.clock.advance(days(1));
  await signIn(server, owner);
  const again = server.clock.now();
  server.mail.server.says = 'yes';
  server.clock.advance(days(1));
  await server.emailWorker.flush();
  expect((await server.mail.emails()).filter(isWarning)).toEqual([]);
  expect(await waiting(server)).toEqual([]);
  expect(await warned(server)).toMatchObject({ first_warned_at: 0 });
  await to(server, 335, again);
  expect(await job(server)).toEqual({});
  expect(await nightsUntil(server, again, 336)).toEqual({ firstWarnings: 1 });
});

test('a warning that is sent during a sign-in does not count', async ({ server }) => {
  const owner = await ownerOf(server);
  await onlyOwnWorkers(server);
  await to(server, 336, owner.start);
  await job(server);
  let sent = 0;
  await using mailServer = openEmailWorker({
    ...server.context,
    mail: {
      reachesPeople: true,
      async send() {
        sent += 1;
        // The sign-in itself is announced by another email.
        if (sent > 1) return;
        server.clock.advance(seconds(1));
        await signIn(server, owner);
        server.clock.advance(seconds(1));
      },
      async [Symbol.asyncDispose]() {},
    },
  });
  await mailServer.flush();
  expect(await warned(server)).toMatchObject({ first_warned_at: 0 });
  const again = server.clock.now();
  await to(server, 336, again);
  expect(await job(server)).toEqual({ firstWarnings: 1 });
});

/** A server with the default email engine, and an owner who has signed up there. */
async function ownerWithOutbox(server: TestServer): Promise<Owner> {
  const folder = join(server.dataDir, 'outbox');
  const newestSecretFor = async () => {
    await server.emailWorker.flush();
    const newest = (await readdir(folder)).toSorted().at(-1) ?? '';
    return codeIn(readEml(await readFile(join(folder, newest), 'latin1')).text);
  };
  return ownerOf({ ...server, mail: { ...server.mail, newestSecretFor } });
}

test.each([
  ['the outbox', { MAIL_URL: '' }],
  ['DORMANT_ACCOUNTS=keep', { DORMANT_ACCOUNTS: 'keep' }],
])('with %s no owner is warned and nothing is deleted', async (_, settings) => {
  await using server = await startServer(settings);
  const owner = await ('MAIL_URL' in settings ? ownerWithOutbox : ownerOf)(server);
  await to(server, 335, owner.start);
  expect(await nightsUntil(server, owner.start, 370)).toEqual({});
  expect(await waiting(server)).toEqual([]);
  expect(await statusOf(server, owner)).toBe(200);
});

test('with the outbox and DORMANT_ACCOUNTS=delete, files are deleted after both warnings', async () => {
  await using server = await startServer({ MAIL_URL: '', DORMANT_ACCOUNTS: 'delete' });
  const owner = await ownerWithOutbox(server);
  await to(server, 335, owner.start);
  expect(await nightsUntil(server, owner.start, 366)).toEqual({ firstWarnings: 1, lastWarnings: 1 });
  expect(await nightsUntil(server, owner.start, 367)).toEqual({ accounts: 1, files: 1 });
});

test('a warning that waited until its day was over is not sent', async ({ server }) => {
  const owner = await ownerOf(server);
  await to(server, 336, owner.start);
  await job(server);
  await to(server, 380, owner.start);
  await server.emailWorker.flush();
  expect((await server.mail.emails()).filter(isWarning)).toEqual([]);
  expect(await waiting(server)).toEqual([]);
});

/** What keeps the files after both warnings, and what ends that. */
const exemptions: readonly [string, (server: TestServer, owner: Owner) => Promise<() => Promise<unknown>>][] = [
  [
    'a takedown that is undone',
    async ({ context }, { name }) => {
      const bytes = await findBytes(context, name);
      await takeDown(context, actor, bytes, 'C-1');
      return () => restore(context, { actor, bytes, hold: { kind: 'case', reference: 'C-1' }, overQuota: false });
    },
  ],
  [
    'a quarantine that is undone',
    async ({ context }, { name }) => {
      const bytes = await findBytes(context, name);
      await quarantine(context, bytes, 'Bad.Thing');
      return () => restore(context, { actor, bytes, hold: { kind: 'quarantine' }, overQuota: false });
    },
  ],
];
const actor = { operator: 'ada', action: 'file restore' };

test.each(exemptions)('after %s the warnings begin anew, on whichever day it ends', async (_, exempt) => {
  for (const day of [363, 372]) {
    await using server = await startServer();
    const owner = await ownerOf(server);
    await to(server, 335, owner.start);
    await nightsUntil(server, owner.start, 362);
    const end = await exempt(server, owner);
    await nightsUntil(server, owner.start, day);
    await end();
    expect(await nightsUntil(server, owner.start, day + 29)).toEqual({ firstWarnings: 1, lastWarnings: 1 });
    expect(await statusOf(server, owner)).toBe(200);
    expect(await nightsUntil(server, owner.start, day + 32)).toEqual({ accounts: 1, files: 1 });
  }
});
