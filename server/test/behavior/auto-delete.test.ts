/** Auto-delete: exactly which files it deletes, and when. */
import { expect } from 'vitest';
import type { Context } from '../../src/context.ts';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { autoDelete } from '../../src/jobs/auto-delete.ts';
import { inactivityPreview } from '../../src/files/inactive-files.ts';
import { stateOf, sumsOf } from '../harness/account-state.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { beforeTransactions } from '../harness/before-transactions.ts';
import { runOf } from '../harness/run-of.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

/** Hits are written once a second. */
async function run(server: TestServer, dryRun = false) {
  await server.hits.flush();
  return server.runJob('auto-delete', { dryRun });
}
const ask = async (server: TestServer, rest: string, method = 'GET') =>
  (await fetch(fileUrl(server, rest), { method })).text();

/** The last of the days is over in every time zone, also where one of them has 25 hours. */
const over = (nights: number) => days(nights + 1) + hours(1);

async function accountWith(server: TestServer, nights: number): Promise<SignedIn> {
  const account = await signUpAndIn(server);
  await account.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: nights } });
  return account;
}

test('a file is deleted when 30 days without access are over everywhere, not a millisecond earlier', async () => {
  const nights = 30;
  await using server = await startServer();
  const account = await accountWith(server, nights);
  const put = (name: string) => uploadFile(server, account, name, `${name}.txt`);
  const never = await put('never');
  const [previewed, headed, digested] = [await put('previewed'), await put('headed'), await put('digested')];
  const [favorite, accessed] = [await put('favorite'), await put('accessed')];
  await account.byKey.toggleFavorite({ body: { file: favorite } });
  server.clock.advance(1);
  const younger = await put('younger');
  server.clock.advance(over(nights) / 2);
  await ask(server, `${previewed}?no-count=true`);
  await ask(server, headed, 'HEAD');
  await ask(server, `${digested}.sha256`);
  await ask(server, accessed);

  server.clock.advance(over(nights) / 2 - 2);
  expect(await run(server)).toEqual({ files: 0 });
  server.clock.advance(1);
  const before = await stateOf(server, account);
  expect(await run(server, true)).toEqual({ files: 4 });
  expect(await stateOf(server, account)).toEqual(before);
  expect(await run(server)).toEqual({ files: 4 });
  const state = await stateOf(server, account);
  expect(new Set(state.names)).toEqual(new Set([favorite, accessed, younger]));
  expect(state).toMatchObject(sumsOf(state));
  expect(state.activity).toMatchObject([{ event: 'inactivity', files: 4 }]);
  expect([never, previewed, headed, digested]).toContain(state.activity[0]?.name);
  expect((await fetch(fileUrl(server, never))).status).toBe(404);

  server.clock.advance(1);
  expect(await run(server)).toEqual({ files: 1 });
  server.clock.advance(over(nights) / 2 - 1);
  expect(await run(server)).toEqual({ files: 0 });
  server.clock.advance(1);
  expect(await run(server)).toEqual({ files: 1 });
  server.clock.advance(days(3650));
  expect(await run(server)).toEqual({ files: 0 });
  expect((await stateOf(server, account)).names).toEqual([favorite]);
});

test('with 0 days no file is deleted, and each account has its own setting', async ({ server }) => {
  const [off, on] = [await accountWith(server, 0), await accountWith(server, 90)];
  await storeRows(server, off, [{}, {}]);
  await storeRows(server, on, [{}]);
  server.clock.advance(days(3650));
  expect(await run(server)).toEqual({ files: 1 });
  expect((await stateOf(server, off)).names).toHaveLength(2);
});

test.each([
  ['a minute before its time', over(1) - minutes(1), minutes(1)],
  ['long after its time', days(20), 0],
])('an access %s keeps the file before its hits are written', async (_, age, later) => {
  await using server = await startServer();
  const account = await accountWith(server, 1);
  const name = await uploadFile(server, account);
  server.clock.advance(age);
  expect(await ask(server, name)).toBe('hello');
  server.clock.advance(later);
  expect(await server.runJob('auto-delete')).toEqual({ files: 0 });
  expect(await run(server)).toEqual({ files: 0 });
});

const etagOf = async (url: string) => (await fetch(url, { method: 'HEAD' })).headers.get('ETag') ?? '';

const unchanged = async (url: string) => ({ 'If-None-Match': await etagOf(url) });
const range = (asked: string) => async () => ({ Range: asked });
const bot = async () => ({ 'User-Agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' });

type Asked = readonly [string, number, { method?: string; query?: string; headers?: (url: string) => Promise<object> }];

const uses: readonly Asked[] = [
  ['all of it', 200, {}],
  ['its beginning', 206, { headers: range('bytes=0-1') }],
  ['a later part', 206, { headers: range('bytes=2-') }],
  ['its end', 206, { headers: range('bytes=-1') }],
  ['two later parts', 206, { headers: range('bytes=1-1,3-4') }],
  ['whether it is unchanged', 304, { headers: unchanged }],
  ['a preview in a chat', 200, { headers: bot }],
];

const noUses: readonly Asked[] = [
  ['a preview', 200, { query: '?no-count=true' }],
  ['a preview in a chat that must not count', 200, { query: '?no-count=true', headers: bot }],
  ['a part of a preview', 206, { query: '?no-count=true', headers: range('bytes=2-') }],
  ['whether a preview is unchanged', 304, { query: '?no-count=true', headers: unchanged }],
  ['its headers', 200, { method: 'HEAD' }],
  ['by HEAD whether it is unchanged', 304, { method: 'HEAD', headers: unchanged }],
  ['its digest', 200, { query: '.sha256' }],
  ['a part that it has not', 416, { headers: range('bytes=5-') }],
  ['another version', 412, { headers: async () => ({ 'If-Match': '"other"' }) }],
];

async function askFor(url: string, [what, status, { method = 'GET', query = '', headers }]: Asked) {
  const answer = await fetch(url + query, { method, headers: { ...(await headers?.(url)) } });
  await answer.arrayBuffer();
  // nginx makes the 206 itself.
  expect(answer.status, what).toBe(answer.headers.has('X-Accel-Redirect') ? 200 : status);
}

test.each([
  ['this process', {}],
  ['nginx', { ACCEL: 'nginx' }],
])('when %s sends the bytes, only a GET of any part and a 304 count as access', async (_, settings) => {
  await using server = await startServer(settings);
  const account = await accountWith(server, 1);
  const names = new Map<Asked, string>();
  for (const asked of [...uses, ...noUses]) names.set(asked, await uploadFile(server, account));
  server.clock.advance(over(1) / 2);
  for (const [asked, name] of names) await askFor(fileUrl(server, name), asked);
  server.clock.advance(over(1) / 2);
  expect(await run(server)).toEqual({ files: noUses.length });
  const { files } = await account.byKey.getFileList({ query: {} });
  // Only a download that starts at the first byte is a hit.
  expect(new Map(files.map(({ name, hits }) => [name, hits]))).toEqual(
    new Map(uses.map((asked, at) => [names.get(asked), at < 2 ? 1 : 0])),
  );
  server.clock.advance(over(1) / 2);
  expect(await run(server)).toEqual({ files: uses.length });
});

test('a request for a file with a pending scan is not an access', async ({ server }) => {
  const account = await accountWith(server, 1);
  const name = await uploadFile(server, account);
  await server.context.db.updateTable('files').set({ pending_scan: 1 }).execute();
  server.clock.advance(over(1));
  expect((await fetch(fileUrl(server, name))).status).toBe(503);
  expect(await run(server)).toEqual({ files: 1 });
});

test('a download of an overdue file works while the database cannot write', async ({ server }) => {
  const account = await accountWith(server, 1);
  const name = await uploadFile(server, account);
  server.clock.advance(days(3));
  await server.context.db.transaction().execute(async (tx) => {
    await tx.updateTable('files').set({ original_name: 'held' }).where('name', '=', name).execute();
    expect(await ask(server, name)).toBe('hello');
  });
});

test.each([
  ['becomes a favorite', ({ db }: Context) => db.updateTable('files').set({ is_favorite: 1 }).execute()],
  ['is accessed', ({ db, clock }: Context) => db.updateTable('files').set({ last_accessed_at: clock.now() }).execute()],
  [
    'belongs to an owner who switches auto-delete off',
    ({ db }: Context) => db.updateTable('accounts').set({ inactivity_auto_delete_days: 0 }).execute(),
  ],
])('a file that %s after the count is kept', async (_, meddle) => {
  await using server = await startServer();
  await storeRows(server, await accountWith(server, 1), [{}, {}]);
  server.clock.advance(days(3));
  const { context } = server;
  const db = beforeTransactions(context.db, () => meddle(context));
  expect(await autoDelete.run(runOf(server, { context: { ...context, db } }))).toEqual({ files: 0 });
});

test('more than a plausible share of all files is deleted only if an operator allows it', async ({ server }) => {
  const [account, other] = [await accountWith(server, 30), await accountWith(server, 0)];
  await storeRows(
    server,
    account,
    Array.from({ length: 480 }, (_, at) => ({ favorite: at % 4 === 0 })),
  );
  await storeRows(server, other, [{}]);
  server.clock.advance(days(32));
  const before = await stateOf(server, account);
  await expect(run(server)).rejects.toThrow('It would delete 360 of 481');
  expect(await stateOf(server, account)).toEqual(before);
  expect(await server.runJob('auto-delete', { allowed: 360 })).toEqual({ files: 360 });
  const after = await stateOf(server, account);
  expect(after).toMatchObject({ ...sumsOf(after), slots_used: 120 });
  expect(after.files.every(({ is_favorite }) => is_favorite === 1)).toBe(true);
});

/** Returns the next moment at this time of day, in UTC. */
function next(server: TestServer, hour: number, minute: number): number {
  const moment = new Date(server.clock.now());
  moment.setUTCHours(hour, minute, 0, 0);
  return moment.getTime() + (moment.getTime() <= server.clock.now() ? days(1) : 0);
}

test('the next run deletes exactly the files of the preview', async () => {
  const nights = 30;
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const put = (name: string) => uploadFile(server, account, name, `${name}.txt`);
  server.clock.advance(next(server, 14, 17) - server.clock.now());
  const [never, favorite] = [await put('never'), await put('favorite')];
  const [accessed, returned] = [await put('accessed'), await put('returned')];
  await account.byKey.toggleFavorite({ body: { file: favorite } });
  server.clock.advance(next(server, 1, 17) - server.clock.now());
  const lastOne = await put('last one');
  server.clock.advance(minutes(1));
  const tooYoung = await put('too young');
  await ask(server, accessed);
  const { db, clock } = server.context;
  await db.updateTable('files').set({ returned_at: clock.now() }).where('name', '=', returned).execute();
  server.clock.advance(days(nights) + hours(1));
  await run(server);

  // The session has expired by now, as it was not used.
  const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const { files, total } = await inactivityPreview(server.context, id, nights);
  expect(files.map(({ name }) => name)).toEqual([never, lastOne]);
  expect(total).toBe(2);
  expect((await stateOf(server, account)).activity).toEqual([]);
  await db.updateTable('accounts').set({ inactivity_auto_delete_days: nights }).execute();
  server.clock.advance(next(server, 2, 17) - server.clock.now());
  expect(await run(server)).toEqual({ files: 2 });
  const { names } = await stateOf(server, account);
  expect(new Set(names)).toEqual(new Set([favorite, accessed, returned, tooYoung]));
});

test('the preview names the ten oldest files and counts all of the account', async ({ server }) => {
  const [account, other] = [await signUpAndIn(server), await signUpAndIn(server)];
  await storeRows(server, other, [{}, {}]);
  const rows = Array.from({ length: 600 }, (_, at) => ({ favorite: at % 3 === 0 }));
  const names = (await storeRows(server, account, rows)).filter((_, at) => !rows[at]?.favorite);
  server.clock.advance(days(3));
  const { files, total } = await account.browser.client.getInactiveFiles({ query: { days: 1 } });
  expect(files.map(({ name }) => name)).toEqual(names.slice(0, 10));
  expect(total).toBe(400);
  expect(await account.browser.client.getInactiveFiles({ query: { days: 5 } })).toMatchObject({ files: [], total: 0 });
});
