/** Hits of a node for public links, which waits for its primary database, and the batches in which they are counted. */
import { appendFile, mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { DatabaseUnavailable } from '../../src/engines/database/database.ts';
import { acceptChanges, refuseChanges } from '../../src/engines/database/read-only.ts';
import { days } from '../../src/lib/clock.ts';
import { countBatch } from '../../src/mirror/count-batch.ts';
import { beginJournal } from '../../src/mirror/hit-journal.ts';
import { type KeptHits, openKeptHits } from '../../src/mirror/kept-hits.ts';
import { stillTables } from '../../src/operator/move/tables.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';

/** A service with two files, and the folder of a node that keeps hits. */
async function startService() {
  const server = await startServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const account = await signUpAndIn(server, { plan: 'power' });
  for (const content of ['one', 'two']) await uploadFile(server, account, content);
  const files = await server.context.db.selectFrom('files').select('id').orderBy('id').execute();
  const [one = '', two = ''] = files.map(({ id }) => id);
  const root = await mkdtemp(join(memoryFolder(), 'holdfast-hits-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return { server, one, two, root };
}

type Db = TestServer['context']['db'];

/** A primary database that can be away. */
function openSwitch(db: Db) {
  let isAway = false;
  const primary = new Proxy(db, {
    get(target, name) {
      if (isAway && name === 'transaction')
        return () => ({ execute: () => Promise.reject(new DatabaseUnavailable('cut off by the test')) });
      return Reflect.get(target, name, target) as unknown;
    },
  });
  return { primary, cut: () => void (isAway = true), mend: () => void (isAway = false) };
}

async function open(
  { server, root }: { readonly server: TestServer; readonly root: string },
  primary: Db = server.context.db,
  most?: number,
): Promise<KeptHits> {
  return openKeptHits({ context: server.context, primary, root, ...(most !== undefined && { most }) });
}

const hitsOf = async ({ context }: TestServer, id: string) =>
  (await context.db.selectFrom('files').select('hits').where('id', '=', id).executeTakeFirstOrThrow()).hits;

const tally = (hits: number, lastAccessedAt = 1_000) => ({ hits, lastAccessedAt });

test('a batch is counted once, however often it is sent', async () => {
  const { server, one, two } = await startService();
  const { db } = server.context;
  const tallies = new Map([
    [one, tally(3)],
    [two, tally(1)],
  ]);
  const send = (batch: number) => countBatch(db, { journal: 'j', batch, tallies, now: 5_000 });
  for (const batch of [1, 1, 2, 1, 2]) expect(await send(batch)).toBe(true);
  expect([await hitsOf(server, one), await hitsOf(server, two)]).toEqual([6, 2]);
});

test('an access moves the time forward only, and never beyond that of the database', async () => {
  const { server, one } = await startService();
  const { db } = server.context;
  const accessed = async (batch: number, at: number) => {
    await countBatch(db, { journal: 'j', batch, tallies: new Map([[one, tally(0, at)]]), now: 5_000 });
    const row = await db.selectFrom('files').select('last_accessed_at').where('id', '=', one).executeTakeFirst();
    return row?.last_accessed_at;
  };
  expect(await accessed(1, 3_000)).toBe(3_000);
  expect(await accessed(2, 2_000)).toBe(3_000);
  expect(await accessed(3, 9_000)).toBe(5_000);
});

test('a file that the database does not have is left out', async () => {
  const { server, one } = await startService();
  const tallies = new Map([
    ['no-such-file', tally(3)],
    [one, tally(1)],
  ]);
  expect(await countBatch(server.context.db, { journal: 'j', batch: 1, tallies, now: 5_000 })).toBe(true);
  expect(await hitsOf(server, one)).toBe(1);
});

test.runIf(postgres)('a batch never waits for a row that a deletion holds, and counts it later, once', async () => {
  const { server, one, two } = await startService();
  const { db } = server.context;
  const tallies = new Map([
    [one, tally(3)],
    [two, tally(1)],
  ]);
  const send = () => countBatch(db, { journal: 'j', batch: 1, tallies, now: 5_000 });
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('files').set({ is_favorite: 1 }).where('id', '=', one).execute();
    expect(await send()).toBe(false);
    expect(await send()).toBe(false);
  });
  expect([await hitsOf(server, one), await hitsOf(server, two)]).toEqual([0, 1]);
  expect([await send(), await send()]).toEqual([true, true]);
  expect([await hitsOf(server, one), await hitsOf(server, two)]).toEqual([3, 1]);
});

test('hits wait on the disk while the primary is away, and are counted when it is back', async () => {
  const service = await startService();
  const { server, one, two, root } = service;
  const { primary, cut, mend } = openSwitch(server.context.db);
  cut();
  await using hits = await open(service, primary);
  for (let times = 0; times < 500; times += 1) hits.note(one);
  hits.note(two);
  await hits.flush();
  expect(hits.state).toMatchObject({ lost: 0, problem: null });
  expect(hits.state.keptBytes).toBeGreaterThan(0);
  expect(await namesIn(root, '.hits')).not.toEqual([]);
  mend();
  await hits.flush();
  expect([await hitsOf(server, one), await hitsOf(server, two)]).toEqual([500, 1]);
  expect(hits.state.keptBytes).toBe(0);
  expect(await namesIn(root, '.hits')).toEqual([]);
});

test('hits wait on the disk while the service is being moved, and are counted if the move is canceled', async () => {
  const place = await startService();
  const { server, one } = place;
  const { db } = server.context;
  const reported: unknown[] = [];
  const reports = { ...server.context.reports, report: (error: unknown) => void reported.push(error) };
  await using hits = await openKeptHits({ context: { ...server.context, reports }, primary: db, root: place.root });
  await db.transaction().execute((tx) => refuseChanges(tx, stillTables));
  hits.note(one);
  await hits.flush();
  expect([await hitsOf(server, one), reported]).toEqual([0, []]);
  await db.transaction().execute((tx) => acceptChanges(tx));
  await hits.flush();
  expect(await hitsOf(server, one)).toBe(1);
});

test('an end in order leaves nothing behind, neither on the disk nor in the database', async () => {
  const service = await startService();
  const { server, one, root } = service;
  const hits = await open(service);
  hits.note(one);
  await hits[Symbol.asyncDispose]();
  expect(await hitsOf(server, one)).toBe(1);
  expect(await readdir(root)).toEqual([]);
  expect(await server.context.db.selectFrom('hit_journals').selectAll().execute()).toEqual([]);
});

test('what a process could not send is sent by the next one', async () => {
  const service = await startService();
  const { server, one, root } = service;
  const { primary, cut } = openSwitch(server.context.db);
  const first = await open(service, primary);
  first.note(one);
  await first.flush();
  cut();
  for (let times = 0; times < 7; times += 1) first.note(one);
  await first[Symbol.asyncDispose]();
  expect(await hitsOf(server, one)).toBe(1);
  await using second = await open(service);
  await second.flush();
  expect(await hitsOf(server, one)).toBe(8);
  expect(await namesIn(root, '.hits')).toEqual([]);
});

test('the journal of a process that lives is not taken over', async () => {
  const service = await startService();
  const { server, one } = service;
  const { primary, cut } = openSwitch(server.context.db);
  cut();
  await using first = await open(service, primary);
  first.note(one);
  await first.flush();
  await using second = await open(service);
  await second.flush();
  expect(await hitsOf(server, one)).toBe(0);
  expect(first.state.keptBytes).toBeGreaterThan(0);
});

test('the journal of another machine, or of before a restart, is taken over after ten minutes', async () => {
  const service = await startService();
  const { server, one, root } = service;
  const other = join(root, 'another-kernel_0');
  await mkdir(other);
  for (const [name, text] of [
    ['lock', ''],
    ['1.hits', `${one} 2 1000\n`],
  ] as const)
    await appendFile(join(other, name), text);
  {
    await using hits = await open(service);
    await hits.flush();
  }
  expect(await hitsOf(server, one)).toBe(0);
  const before = new Date(Date.now() - 11 * 60_000);
  await utimes(join(other, 'lock'), before, before);
  await using hits = await open(service);
  await hits.flush();
  expect(await hitsOf(server, one)).toBe(2);
});

test('a line that was cut off by a kill, or is no line, does not count', async () => {
  const service = await startService();
  const { server, one, root } = service;
  const killed = await beginJournal(root);
  await killed.append(new Map([[one, tally(4)]]));
  await killed.endBatch();
  await appendFile(join(root, killed.id, '1.hits'), `${one} 9 9\u0000\nno line\n${one} 1 10`);
  killed.leave();
  await using hits = await open(service);
  await hits.flush();
  expect(await hitsOf(server, one)).toBe(4);
});

test('when no more can be kept, later hits are dropped with an alarm, and earlier ones are counted', async () => {
  const service = await startService();
  const { server, one } = service;
  const { primary, cut, mend } = openSwitch(server.context.db);
  cut();
  await using hits = await open(service, primary, 100);
  const note = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      hits.note(one);
      await hits.flush();
    }
  };
  await note(10);
  expect(hits.state).toMatchObject({ problem: 'no more hits can be kept' });
  expect(hits.state.lost).toBeGreaterThan(0);
  expect(server.log.filter((line) => line.includes('ALARM: no more hits can be kept'))).toHaveLength(1);
  mend();
  await hits.flush();
  expect(hits.state).toMatchObject({ keptBytes: 0, problem: null });
  await note(2);
  expect(await hitsOf(server, one)).toBe(10 - hits.state.lost + 2);
});

test('without a working disk hits go from the memory to the primary, and are kept there while it is away', async () => {
  const service = await startService();
  const { server, one, root } = service;
  const { primary, cut, mend } = openSwitch(server.context.db);
  await using hits = await open(service, primary);
  for (const name of await readdir(root)) await rm(join(root, name), { recursive: true });
  hits.note(one);
  await hits.flush();
  expect(await hitsOf(server, one)).toBe(1);
  expect(hits.state.problem).toContain('ENOENT');
  cut();
  hits.note(one);
  await hits.flush();
  hits.note(one);
  await hits.flush();
  mend();
  await hits.flush();
  expect(await hitsOf(server, one)).toBe(3);
});

test('a full batch is followed by another one, and all are counted in their order', async () => {
  const service = await startService();
  const { server, one } = service;
  const { primary, cut, mend } = openSwitch(server.context.db);
  cut();
  await using hits = await open(service, primary);
  for (let times = 0; times < 200; times += 1) {
    hits.note(one);
    for (let file = 0; file < 20; file += 1) hits.note(`no-such-file-${times}-${file}`);
    await new Promise(setImmediate);
  }
  await hits.flush();
  expect(hits.state.keptBytes).toBeGreaterThan(65_536);
  mend();
  await hits.flush();
  expect(await hitsOf(server, one)).toBe(200);
});

test('what is known of a journal is deleted when nothing came of it for a long time', async () => {
  const { server } = await startService();
  const { db, clock } = server.context;
  const send = (journal: string, now: number) => countBatch(db, { journal, batch: 1, tallies: new Map(), now });
  await send('old', clock.now() - days(401));
  await send('new', clock.now() - days(399));
  expect(await server.runJob('delete-expired')).toMatchObject({ hit_journals: 1 });
  expect(await db.selectFrom('hit_journals').select('id').execute()).toEqual([{ id: 'new' }]);
});

const namesIn = async (folder: string, end: string) =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(end));
