/** Malware found in stored files. This needs no scanner: operators find some too. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ClamdStandIn, startClamdStandIn } from '../stand-ins/clamd.ts';
import type { BlobId } from '../../src/storage/blobs/blobs.ts';
import { finishRemovals } from '../../src/moderation/finish-removals.ts';
import { quarantine } from '../../src/moderation/quarantine.ts';
import { blockDigest } from '../../src/moderation/blocklist.ts';
import { removeBytesEverywhere } from '../../src/moderation/remove-bytes-everywhere.ts';
import { upload } from '../../src/uploads/keep.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { DeletionLimitExceeded } from '../../src/jobs/deletion-limit.ts';
import { rescan } from '../../src/jobs/rescan.ts';
import { runJob } from '../../src/jobs/run-job.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { failAt } from '../harness/failing-blobs.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { onePart } from '../harness/one-part.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, formWith, sendForm, sha256, uploadFile } from '../harness/uploads.ts';
import { watchStatements } from '../harness/watched-statements.ts';
import { storedNames } from '../harness/stored-bytes.ts';

const opened = new AsyncDisposableStack();
let clamd: ClamdStandIn;
let server: TestServer;
let one: SignedIn;
let other: SignedIn;
let text = '';
let texts = 0;

beforeAll(async () => {
  clamd = opened.use(await startClamdStandIn());
  server = opened.use(await startServer({ SCANNER_URL: `clamd://127.0.0.1:${clamd.port}` }));
});
afterAll(() => opened.disposeAsync());
beforeEach(async () => {
  clamd.behavior = { kind: 'scans' };
  [one, other] = await Promise.all([signUpAndIn(server), signUpAndIn(server)]);
  text = `harmless until now, number ${(texts += 1)}.`;
});

async function blobOf(content: string) {
  return server.context.db.selectFrom('blobs').selectAll().where('sha256', '=', sha256(content)).executeTakeFirst();
}

async function bytesOf(content: string) {
  return { blobId: ((await blobOf(content))?.id ?? '') as BlobId, sha256: sha256(content) };
}

const malwareEmails = async ({ email }: SignedIn) =>
  (await server.mail.emails()).filter(({ to, subject }) => to === email && subject.startsWith('Malware'));
const usageOf = async ({ byKey }: SignedIn) => (await byKey.getAccountInfo()).account.usage;
const statuses = (names: readonly string[]) =>
  Promise.all(names.map(async (name) => (await fetch(fileUrl(server, name))).status));

test('all files of the same bytes are removed from every account, with one email per owner', async () => {
  const mine = [await uploadFile(server, one, text, 'a.txt'), await uploadFile(server, one, text, 'b.txt')];
  const theirs = await uploadFile(server, other, text, 'c.txt');
  const kept = await uploadFile(server, one, `${text} and more`);
  expect(await statuses([...mine, theirs])).toEqual([200, 200, 200]);
  const stored = await storedNames(server);
  expect(await quarantine(server.context, await bytesOf(text), 'Bad.Thing')).toEqual({
    accounts: 2,
    files: 3,
  });
  expect(await statuses([...mine, theirs, kept])).toEqual([404, 404, 404, 200]);
  expect(await usageOf(one)).toMatchObject({ slots_used: 1, space_used: `${text} and more`.length });
  expect(await usageOf(other)).toMatchObject({ slots_used: 0, space_used: 0 });
  expect(await blobOf(text)).toMatchObject({ held_for: 'malware', used_by: 0, scan_state: 'infected' });
  expect(await storedNames(server)).toEqual(stored);

  expect(await quarantine(server.context, await bytesOf(text), 'Bad.Thing')).toEqual({
    accounts: 0,
    files: 0,
  });
  const [email, ...more] = await malwareEmails(one);
  expect(more).toEqual([]);
  for (const name of mine) expect(email?.text).toContain(name);
  expect(email?.text).toContain('2 files of your Holdfast account');
  expect(await malwareEmails(other)).toHaveLength(1);
  const { activity } = await other.browser.client.getActivity({ query: {} });
  expect(activity).toMatchObject([{ event: 'malware', name: theirs, original_name: 'c.txt' }]);
});

test('1,203 files are removed, and one email counts them all', async () => {
  await uploadFile(server, one, text);
  await multiply(one, 1_203);
  expect(await quarantine(server.context, await bytesOf(text), 'Bad.Thing')).toEqual({
    accounts: 1,
    files: 1_203,
  });
  expect(await usageOf(one)).toMatchObject({ slots_used: 0, space_used: 0 });
  const emails = await malwareEmails(one);
  expect(emails).toHaveLength(1);
  expect(emails[0]?.text).toContain('and 1183 more.');
});

test('an interrupted quarantine is finished by the next run, which notifies the other owner', async () => {
  for (const account of [one, other]) await uploadFile(server, account, text);
  let told = 0;
  await expect(
    removeBytesEverywhere(server.context, await bytesOf(text), 'malware', 'Bad.Thing', async () => {
      if ((told += 1) === 2) throw new Error('killed');
    }),
  ).rejects.toThrow('killed');
  const left = await server.context.db
    .selectFrom('files')
    .select('id')
    .where('sha256', '=', sha256(text))
    .where('deleted_at', 'is', null)
    .execute();
  expect(left).toHaveLength(1);
  expect(await server.runJob('scan-pending')).toMatchObject({ quarantined: 1 });
  expect(await finishRemovals(server.context)).toEqual({ quarantined: 0, takenDown: 0 });
  expect([...(await malwareEmails(one)), ...(await malwareEmails(other))]).toHaveLength(1);
});

test.each(['malware', 'takedown'] as const)(
  'bytes blocked for %s during the scan of an upload are refused at its commit',
  async (reason) => {
    const scanned = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    clamd.behavior = { kind: 'answers', text: 'stream: OK', after: answered.promise };
    clamd.onStream = scanned.resolve;
    const before = await storedNames(server);
    const uploading = sendForm(server, one, formWith(text));
    await scanned.promise;
    await blockDigest(server.context.db, sha256(text), reason, 'C-1', server.clock.now());
    answered.resolve();
    expect((await uploading).status).toBe(422);
    expect(await storedNames(server)).toEqual(before);
    expect(await liveFilesOf(text)).toBe(0);
    expect(await usageOf(one)).toMatchObject({ slots_used: 0, space_used: 0 });
  },
);

test('a quarantine finds an upload that is about to commit', async () => {
  const inserted = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const db = watchStatements(server.context.db, {
    async after(statement) {
      if (statement !== 'InsertQueryNode files') return;
      inserted.resolve();
      await released.promise;
    },
  });
  const caller = await keyCaller(server, one);
  const uploading = upload({ ...server.context, db }, caller, onePart(Buffer.from(text)));
  await inserted.promise;
  const quarantined = quarantine(server.context, { sha256: sha256(text) }, 'Bad.Thing');
  released.resolve();
  await uploading;
  expect(await quarantined).toEqual({ accounts: 1, files: 1 });
  expect(await liveFilesOf(text)).toBe(0);
});

test('an upload blocked by a takedown is refused with its own message', async () => {
  const blocked = { sha256: sha256(text), reason: 'takedown' as const, reference: 'C-1', blocked_at: 0 };
  await server.context.db.insertInto('blocked_digests').values(blocked).execute();
  expect(await sendForm(server, one, formWith(text))).toMatchObject({
    status: 422,
    error: 'This file was removed after a complaint and may not be uploaded again.',
  });
});

test('an upload found to be malware removes earlier files of the same bytes', async () => {
  const name = await uploadFile(server, other, text);
  server.clock.advance(hours(25));
  clamd.behavior = { kind: 'answers', text: 'stream: New.Signature FOUND' };
  expect((await sendForm(server, one, formWith(text))).status).toBe(422);
  expect(await statuses([name])).toEqual([404]);
  expect(await malwareEmails(other)).toHaveLength(1);
});

test('the rescan removes what a new signature finds from every account, after a day', async () => {
  const mine = await uploadFile(server, one, text);
  const theirs = await uploadFile(server, other, text);
  const clean = await uploadFile(server, other, `something else, number ${texts}`);
  clamd.known.add(text);
  expect(await server.runJob('rescan')).toMatchObject({ quarantined: 0 });
  server.clock.advance(hours(24));
  expect((await server.runJob('rescan', { dryRun: true })).scanned).toBeGreaterThanOrEqual(2);
  expect(await server.runJob('rescan')).toMatchObject({ quarantined: 2 });
  expect(await statuses([mine, theirs, clean])).toEqual([404, 404, 200]);
  expect(await server.runJob('rescan')).toEqual({ scanned: 0, infected: 0, quarantined: 0 });
  expect(await malwareEmails(one)).toHaveLength(1);
});

test('a stopped rescan continues, and bytes that are missing or unreadable are named at its end', async () => {
  for (const end of ['a', 'b', 'c', 'd']) await uploadFile(server, one, text + end);
  server.clock.advance(hours(24));
  const [lost, bad] = [await bytesOf(`${text}b`), await bytesOf(`${text}c`)];
  await server.context.blobs.remove(lost.blobId);
  const disk = failAt(server.context.blobs, bad.blobId);
  clamd.behavior = { kind: 'closes', afterBytes: 0 };
  await expect(server.runJob('rescan')).rejects.toThrow('The scanner returned no verdict');
  clamd.behavior = { kind: 'scans' };
  const ended = await server.runJob('rescan').catch((error: unknown) => String(error));
  for (const { blobId } of [lost, bad]) expect(ended).toContain(`blob ${blobId} (The bytes of`);
  for (const says of ['are missing or short', 'cannot be read'])
    expect(server.log.join()).toContain(`ALARM: stored bytes ${says}`);
  disk.mend();
  expect(await server.runJob('rescan')).toEqual({ scanned: 0, infected: 0, quarantined: 0 });
});

/** Starts a separate server, because files of other tests would count as in use and as found. */
async function siteOf(files: number) {
  const site = await startServer({ SCANNER_URL: `clamd://127.0.0.1:${clamd.port}` });
  const owners = [await signUpAndIn(site), await signUpAndIn(site)] as const;
  const add = async (count: number, what: string) => {
    const addFile = (at: number) =>
      uploadFile(site, at % 2 === 0 ? owners[0] : owners[1], `${what} ${texts} number ${at}`);
    // Fewer at a time than an account may have.
    for (let at = 0; at < count; at += 6)
      await Promise.all(Array.from({ length: Math.min(6, count - at) }, (_, next) => addFile(at + next)));
  };
  await add(files, 'file');
  return {
    site,
    add,
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
    live: async () =>
      (await site.context.db.selectFrom('files').select('id').where('deleted_at', 'is', null).execute()).length,
    emailsPerOwner: async () =>
      Promise.all(
        owners.map(
          async ({ email }) =>
            (await site.mail.emails()).filter(({ to, subject }) => to === email && subject.startsWith('Malware'))
              .length,
        ),
      ),
    alarm: async () =>
      (
        await site.context.db
          .selectFrom('jobs')
          .select('deletion_limit_exceeded_at')
          .where('name', '=', 'rescan')
          .executeTakeFirstOrThrow()
      ).deletion_limit_exceeded_at,
  };
}

const findsAll = { kind: 'answers', text: 'stream: Bad.Signature FOUND' } as const;

test('a signature that finds everything removes 100 blobs in a week, and more if an operator allows it', async () => {
  await using opening = await siteOf(12);
  const { site, live, emailsPerOwner, alarm } = opening;
  const { db, clock } = site.context;
  const earlier = Array.from({ length: 96 }, (_, at) => ({ sha256: `${at}`, found_at: clock.now() }));
  await db.insertInto('rescan_finds').values(earlier).execute();
  clamd.behavior = findsAll;
  site.clock.advance(hours(24));
  await expect(site.runJob('rescan')).rejects.toThrow("wait for 'holdfast jobs run rescan --allow 8'");
  const since = await alarm();
  expect(since).not.toBeNull();
  const told = await emailsPerOwner();
  expect(Math.max(...told)).toBe(1);
  expect(await live()).toBe(8);
  for (const wait of [hours(1), days(8)]) {
    site.clock.advance(wait);
    await expect(site.runJob('rescan')).rejects.toThrow(DeletionLimitExceeded);
    expect([await live(), await alarm(), await emailsPerOwner()]).toEqual([8, since, told]);
  }
  await expect(site.runJob('rescan', { allowed: 2 })).rejects.toThrow('--allow 6');
  expect([await live(), await alarm()]).toEqual([6, since]);
  expect(await site.runJob('rescan', { allowed: 6 })).toMatchObject({ infected: 6, quarantined: 6 });
  expect([await live(), await alarm()]).toEqual([0, null]);
});

test('malware found by a run is removed although the run fails later', async () => {
  await using opening = await siteOf(3);
  const { site, live, emailsPerOwner } = opening;
  site.clock.advance(hours(24));
  const infected = `file ${texts} number 0`;
  clamd.known.add(infected);
  // A run begins with the file that was scanned least recently.
  await site.context.db
    .updateTable('blobs')
    .set((eb) => ({ scanned_at: eb('scanned_at', '-', 1) }))
    .where('sha256', '=', sha256(infected))
    .execute();
  let scanned = 0;
  const context = {
    ...site.context,
    scanner: {
      ...site.context.scanner,
      scan(...asked: Parameters<typeof site.context.scanner.scan>) {
        if ((scanned += 1) === 3) throw new Error('broken');
        return site.context.scanner.scan(...asked);
      },
    },
  };
  await expect(runJob(context, rescan)).rejects.toThrow('broken');
  expect([await live(), await emailsPerOwner()]).toEqual([2, [1, 0]]);
});

/** Inserts rows until the account has `files` files of the text. */
async function multiply({ email }: SignedIn, files: number): Promise<void> {
  const { db } = server.context;
  const { id: accountId } = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const file = await db.selectFrom('files').selectAll().where('account_id', '=', accountId).executeTakeFirstOrThrow();
  const copies = Array.from({ length: files - 1 }, (_, at) => ({
    ...file,
    id: `${file.id}-${at}`,
    name: `${file.name}${at}`,
  }));
  for (let from = 0; from < copies.length; from += 500)
    await db
      .insertInto('files')
      .values(copies.slice(from, from + 500))
      .execute();
  await db.updateTable('blobs').set({ used_by: files }).where('id', '=', file.blob_id).execute();
  const usage = { slots_used: files, space_used: files * file.size };
  await db.updateTable('accounts').set(usage).where('id', '=', accountId).execute();
}

async function liveFilesOf(content: string): Promise<number> {
  const files = server.context.db.selectFrom('files').select('id').where('sha256', '=', sha256(content));
  return (await files.where('deleted_at', 'is', null).execute()).length;
}
