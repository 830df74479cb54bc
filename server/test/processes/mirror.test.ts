/** Nodes for public links beside a hot standby of PostgreSQL, while parts of it are away, behind, or killed. */
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PostgresServer, startPostgres, type PostgresPlace } from '@holdfast/test-support/start-postgres.ts';
import { minutes, seconds } from '../../src/lib/clock.ts';
import { findBytes } from '../../src/moderation/find-file.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { type DatabaseRelay, openDatabaseRelay } from '../harness/database-relay.ts';
import { blockOf } from '../harness/documented-blocks.ts';
import { blobsOf, startMirror, type TestMirror } from '../harness/start-mirror.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha1, uploadFile } from '../harness/uploads.ts';
import { execFile } from 'node:child_process';
import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Starts a hot standby: a copy of a running server that follows its changes and can be read. */
function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  return startPostgres([], undefined, (place) => copyRunning(primary, place));
}

/** By the "low-level API" of PostgreSQL (25.3.4), because the npm package has no `pg_basebackup`. */
async function copyRunning({ url, data: from }: PostgresServer, place: PostgresPlace): Promise<void> {
  const client = new pg.Client(`${url}/postgres`);
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('standby', fast => true)`);
    await promisify(execFile)('cp', ['-a', `${from}/.`, place.data]);
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    await rm(join(place.data, 'postmaster.pid'), { force: true });
    await writeFiles(place, {
      backup_label: rows[0]?.labelfile ?? '',
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = 'host=127.0.0.1 port=${new URL(url).port} user=holdfast'\n`,
    });
  } finally {
    await client.end();
  }
}

async function writeFiles({ data, options }: PostgresPlace, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(data, name), text);
    if (options.uid !== undefined && options.gid !== undefined) await chown(join(data, name), options.uid, options.gid);
  }
}

const postgres = process.env['TEST_DATABASE'] === 'postgres';

interface Fleet {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  readonly server: TestServer;
  readonly account: SignedIn;
}

let fleet: Fleet;
const opened = new AsyncDisposableStack();

beforeAll(async () => {
  if (!postgres) return;
  const primary = opened.use(await startPostgres());
  await query(`${primary.url}/postgres`, 'CREATE DATABASE service');
  const server = opened.use(await startServer({ DATABASE_URL: `${primary.url}/service` }));
  await query(`${primary.url}/service`, blockOf('docs/self-hosting.md', 'Mirrors and regions', 'sql'));
  const standby = opened.use(await startStandby(primary));
  fleet = { primary, standby, server, account: await signUpAndIn(server, { plan: 'power' }) };
}, minutes(2));

afterAll(() => opened.disposeAsync(), minutes(1));

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The address of the database as a node for public links uses it: with few permissions, through a relay. */
async function relayTo({ url }: PostgresServer): Promise<DatabaseRelay> {
  const address = new URL(`${url}/service`);
  address.username = 'holdfast_mirror';
  return openDatabaseRelay(address.href);
}

interface Beside extends AsyncDisposable {
  readonly mirror: TestMirror;
  readonly toPrimary: DatabaseRelay;
  readonly toStandby: DatabaseRelay;
}

async function startBeside(options: Parameters<typeof startMirror>[1] = {}): Promise<Beside> {
  const [toPrimary, toStandby] = [await relayTo(fleet.primary), await relayTo(fleet.standby)];
  await caughtUp();
  const mirror = await startMirror(settings(toPrimary, toStandby), options);
  await expect.poll(() => mirror.context.replicaWatch.isFresh()).toBe(true);
  // It closes before the relays, as they end with the test.
  return { mirror, toPrimary, toStandby, [Symbol.asyncDispose]: () => mirror[Symbol.asyncDispose]() };
}

const settings = (toPrimary: DatabaseRelay, toStandby: DatabaseRelay) => ({
  DATABASE_URL: toPrimary.url,
  DATABASE_READ_URL: toStandby.url,
  ...blobsOf(fleet.server.context.config.blobs),
});

/** Waits until the standby has all that the primary has. */
async function caughtUp(): Promise<void> {
  const position = async (url: string, text: string) => (await query<{ at: string }>(`${url}/service`, text))[0]?.at;
  const wanted = await position(fleet.primary.url, `SELECT pg_current_wal_flush_lsn() - '0/0' AS at`);
  const reached = () => position(fleet.standby.url, `SELECT pg_last_wal_replay_lsn() - '0/0' AS at`);
  await expect.poll(async () => BigInt((await reached()) ?? 0) >= BigInt(wanted ?? 0)).toBe(true);
}

/** Stops the standby from following, until the test ends or continues it. */
async function pauseReplay(): Promise<() => Promise<void>> {
  const standby = `${fleet.standby.url}/postgres`;
  const resume = async () => void (await query(standby, 'SELECT pg_wal_replay_resume()'));
  await query(standby, 'SELECT pg_wal_replay_pause()');
  onTestFinished(resume);
  const isPaused = async () => (await query(standby, `SELECT pg_get_wal_replay_pause_state() AS state`))[0];
  await expect.poll(isPaused).toEqual({ state: 'paused' });
  return resume;
}

const upload = (content: string) => uploadFile(fleet.server, fleet.account, content);

async function get(mirror: Pick<TestMirror, 'url'>, rest: string) {
  const answer = await fetch(`${mirror.url}/file/${rest}`);
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    retryAfter: answer.headers.get('Retry-After'),
  };
}

const statusOf = async (mirror: Pick<TestMirror, 'url'>, rest: string) => (await get(mirror, rest)).status;

async function hitsOf(name: string): Promise<number | undefined> {
  const { db } = fleet.server.context;
  return (await db.selectFrom('files').select('hits').where('name', '=', name).executeTakeFirst())?.hits;
}

const unavailable = {
  status: 503,
  text: 'The service is not available right now. Try again later.\n',
  retryAfter: '2',
};

test.runIf(postgres)('a file that the replica does not have yet is found in the primary', async () => {
  await using beside = await startBeside();
  await pauseReplay();
  const name = await upload('just now');
  expect(await get(beside.mirror, name)).toMatchObject({ status: 200, text: 'just now' });
  expect(await get(beside.mirror, `${name}.sha1`)).toMatchObject({ status: 200, text: sha1('just now') });
  expect(await statusOf(beside.mirror, 'nosuchfile')).toBe(404);
});

test.runIf(postgres)(
  'a file that was deleted or taken down is not served for longer than the longest lag',
  async () => {
    const [kept, deleted, takenDown] = [await upload('kept'), await upload('deleted'), await upload('taken down')];
    await using beside = await startBeside({ longestLag: seconds(1) });
    const { mirror } = beside;
    const resume = await pauseReplay();
    await fleet.account.byKey.deleteFiles({ body: { files: [deleted] } });
    const { context } = fleet.server;
    const operator = { operator: 'ada', sudoUser: null, action: 'take-down' };
    await takeDown(context, operator, await findBytes(context, takenDown), 'DMCA-2026-17');
    for (const name of [deleted, takenDown]) await expect.poll(() => statusOf(mirror, name)).toBe(404);
    expect(await statusOf(mirror, kept)).toBe(200);
    const ready = async () => (await fetch(`${mirror.privateUrl}/readyz`)).text();
    expect(await ready()).toMatch(/^degraded\n(.+\n)*replica: it is too far behind\n/);
    expect(mirror.log.join('')).toContain('the replica is not read');
    await resume();
    await expect.poll(() => mirror.context.replicaWatch.isFresh()).toBe(true);
    expect(await statusOf(mirror, deleted)).toBe(404);
  },
);

test.runIf(postgres)('a replica that is far behind is not read when the primary goes away, either', async () => {
  const name = await upload('behind');
  await using beside = await startBeside({ longestLag: seconds(2) });
  const { mirror, toPrimary } = beside;
  await pauseReplay();
  await upload('later');
  // Much later than the limit: the primary was seen for the last time up to a second ago.
  await expect.poll(() => mirror.context.replicaWatch.staleFor()).toBeGreaterThan(seconds(5));
  expect(mirror.context.replicaWatch.isFresh()).toBe(false);
  await toPrimary.cut();
  await expect.poll(() => get(mirror, name)).toMatchObject(unavailable);
});

test.runIf(postgres)('while the primary is away links go on, and their hits are counted afterwards', async () => {
  const [known, loaded] = [await upload('known'), await upload('loaded')];
  await using beside = await startBeside();
  const { mirror, toPrimary } = beside;
  await toPrimary.cut();
  for (let times = 0; times < 20; times += 1) expect(await statusOf(mirror, known)).toBe(200);
  expect(await get(mirror, `${loaded}.sha1`)).toMatchObject({ status: 200, text: sha1('loaded') });
  expect(await hitsOf(known)).toBe(0);
  expect((await fetch(`${mirror.url}/healthz`)).status).toBe(200);
  await toPrimary.mend();
  // One address has requested it within 30 seconds.
  await expect.poll(() => hitsOf(known)).toBe(1);
});

test.runIf(postgres)(
  'while the replica is away the primary is asked, and without both every link is 503 at once',
  async () => {
    const name = await upload('either');
    await using beside = await startBeside();
    const { mirror, toPrimary, toStandby } = beside;
    await toStandby.cut();
    for (let times = 0; times < 5; times += 1) expect(await statusOf(mirror, name)).toBe(200);
    await toPrimary.cut();
    await expect.poll(() => get(mirror, name)).toMatchObject(unavailable);
    await expect.poll(async () => (await fetch(`${mirror.url}/healthz`)).status).toBe(503);
    await toStandby.mend();
    await expect.poll(() => statusOf(mirror, name)).toBe(200);
    await toPrimary.mend();
    await expect.poll(() => mirror.context.replicaWatch.problems).toEqual({ replica: null, primary: null });
  },
);

test.runIf(postgres)('while the replica hangs, the primary is asked', async () => {
  const name = await upload('hung');
  await using beside = await startBeside();
  const { mirror } = beside;
  await fleet.standby.freeze();
  try {
    expect(await statusOf(mirror, name)).toBe(200);
    await expect.poll(() => mirror.context.replicaWatch.problems.replica).not.toBe(null);
    expect(await statusOf(mirror, name)).toBe(200);
  } finally {
    await fleet.standby.thaw();
  }
});

test.runIf(postgres)('alone, a replica is read for a limited time', async () => {
  const name = await upload('alone');
  await using beside = await startBeside({ longestAlone: seconds(3) });
  const { mirror, toPrimary } = beside;
  await toPrimary.cut();
  await expect.poll(() => get(mirror, name)).toMatchObject(unavailable);
});

test.runIf(postgres)('an access is in the primary before a file is sent that auto-delete could delete', async () => {
  const name = await upload('nearly overdue');
  const { server, account } = fleet;
  const { db } = server.context;
  await account.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 1 } });
  onTestFinished(async () => {
    await account.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 0 } });
  });
  await db.updateTable('files').set({ uploaded_at: 1, last_accessed_at: 1 }).where('name', '=', name).execute();
  await using beside = await startBeside();
  expect(await statusOf(beside.mirror, name)).toBe(200);
  const row = await db.selectFrom('files').select('last_accessed_at').where('name', '=', name).executeTakeFirst();
  expect(row?.last_accessed_at).toBeGreaterThan(1);
});
