/** Nodes for public links beside a hot standby of PostgreSQL, while parts of it are away, behind, or killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { type PostgresServer, startPostgres } from '@holdfast/test-support/start-postgres.ts';
import { minutes, seconds } from '../../src/lib/clock.ts';
import { findBytes } from '../../src/operator/find-bytes.ts';
import { takeDown } from '../../src/operator/take-down.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { type DatabaseRelay, openDatabaseRelay } from '../harness/database-relay.ts';
import { blockOf } from '../harness/documented-blocks.ts';
import { blobsOf, startMirror, type TestMirror } from '../harness/start-mirror.ts';
import { startStandby } from '../harness/start-standby.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha1, uploadFile } from '../harness/uploads.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

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
  const startedAt = performance.now();
  const answer = await fetch(`${mirror.url}/file/${rest}`);
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    retryAfter: answer.headers.get('Retry-After'),
    ms: performance.now() - startedAt,
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

test.runIf(postgres)('links are looked up on the replica, and their hits are counted in the primary', async () => {
  const name = await upload('on the replica');
  await using beside = await startBeside();
  const { mirror, toPrimary } = beside;
  expect(await get(mirror, name)).toMatchObject({ status: 200, text: 'on the replica' });
  await toPrimary.cut();
  expect(await get(mirror, name)).toMatchObject({ status: 200, text: 'on the replica' });
  await toPrimary.mend();
  await expect.poll(() => hitsOf(name)).toBe(2);
});

test.runIf(postgres)('a file that the replica does not have yet is found in the primary', async () => {
  await using beside = await startBeside();
  await pauseReplay();
  const name = await upload('just now');
  expect(await get(beside.mirror, name)).toMatchObject({ status: 200, text: 'just now' });
  expect(await get(beside.mirror, `${name}.sha1`)).toMatchObject({ status: 200, text: sha1('just now') });
  expect(await statusOf(beside.mirror, 'nosuchfile')).toBe(404);
});

test.runIf(postgres)('a deleted file is gone as soon as the replica knows it', async () => {
  const deleted = await upload('deleted');
  await using beside = await startBeside();
  const { mirror } = beside;
  const resume = await pauseReplay();
  await fleet.account.byKey.deleteFiles({ body: { files: [deleted] } });
  expect(await statusOf(mirror, deleted)).toBe(200);
  await resume();
  await expect.poll(() => statusOf(mirror, deleted)).toBe(404);
});

test.runIf(postgres)(
  'a file that was deleted or taken down is not served for longer than the longest lag',
  async () => {
    const [kept, deleted, takenDown] = [await upload('kept'), await upload('deleted'), await upload('taken down')];
    await using beside = await startBeside({ freshness: { longestLag: seconds(1) } });
    const { mirror } = beside;
    const resume = await pauseReplay();
    await fleet.account.byKey.deleteFiles({ body: { files: [deleted] } });
    const { context, memory } = fleet.server;
    const operator = { operator: 'ada', sudoUser: null, action: 'take-down' };
    await takeDown(context, memory, operator, await findBytes(context, takenDown), 'DMCA-2026-17');
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
  await using beside = await startBeside({ freshness: { longestLag: seconds(2) } });
  const { mirror, toPrimary } = beside;
  await pauseReplay();
  await upload('later');
  await expect.poll(() => mirror.context.replicaWatch.isFresh()).toBe(false);
  await toPrimary.cut();
  await expect.poll(() => get(mirror, name)).toMatchObject(unavailable);
});

test.runIf(postgres)('while the primary is away links go on, and each hit is counted once afterwards', async () => {
  const [known, loaded] = [await upload('known'), await upload('loaded')];
  await using beside = await startBeside();
  const { mirror, toPrimary } = beside;
  await toPrimary.cut();
  for (let times = 0; times < 20; times += 1) expect(await statusOf(mirror, known)).toBe(200);
  expect(await get(mirror, `${loaded}.sha1`)).toMatchObject({ status: 200, text: sha1('loaded') });
  await expect.poll(() => mirror.hits.state.keptBytes).toBeGreaterThan(0);
  expect(await hitsOf(known)).toBe(0);
  expect((await fetch(`${mirror.url}/healthz`)).status).toBe(200);
  await toPrimary.mend();
  await expect.poll(() => hitsOf(known)).toBe(20);
  await expect.poll(() => mirror.hits.state.keptBytes).toBe(0);
});

test.runIf(postgres)('a lost answer to the count of a batch does not count it twice', async () => {
  const name = await upload('counted');
  await using beside = await startBeside();
  const { mirror, toPrimary } = beside;
  await statusOf(mirror, name);
  await expect.poll(() => hitsOf(name)).toBe(1);
  toPrimary.loseCommit('after the commit', { thenCut: true });
  for (let times = 0; times < 5; times += 1) await statusOf(mirror, name);
  await expect.poll(() => hitsOf(name)).toBeGreaterThan(1);
  await expect.poll(() => mirror.log.join('')).toContain('hits could not be sent');
  await toPrimary.mend();
  await expect.poll(() => mirror.hits.state.keptBytes).toBe(0);
  await mirror.hits.flush();
  expect(await hitsOf(name)).toBe(6);
});

test.runIf(postgres)(
  'a name that nobody can be asked about is 503, and counts as a try of one that does not exist',
  async () => {
    await using beside = await startBeside();
    const { mirror, toPrimary } = beside;
    await toPrimary.cut();
    await expect.poll(() => mirror.context.replicaWatch.problems.primary).not.toBe(null);
    expect(await get(mirror, 'nosuch')).toMatchObject(unavailable);
    const tried = await Promise.all(Array.from({ length: 80 }, (_, at) => statusOf(mirror, `no${at}x`)));
    expect(new Set(tried)).toEqual(new Set([503, 429]));
  },
);

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
    expect((await get(mirror, name)).ms).toBeLessThan(2_000);
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

test.runIf(postgres)('while the primary is away, a replica that responds late is waited for', async () => {
  const name = await upload('late');
  await using beside = await startBeside();
  const { mirror, toPrimary } = beside;
  await toPrimary.cut();
  await fleet.standby.freeze();
  const asked = Promise.all([statusOf(mirror, name), statusOf(mirror, name)]);
  // Longer than the replica usually gets, and shorter than any statement may take.
  await delay(650);
  await fleet.standby.thaw();
  expect(await asked).toEqual([200, 200]);
});

test.runIf(postgres)(
  'alone, a replica is read for a limited time, and again when it shows that it follows',
  async () => {
    const name = await upload('alone');
    await using beside = await startBeside({ freshness: { longestAlone: seconds(3) } });
    const { mirror, toPrimary } = beside;
    await toPrimary.cut();
    await expect.poll(() => get(mirror, name)).toMatchObject(unavailable);
    await upload('a change that reaches the replica');
    await expect.poll(() => statusOf(mirror, name)).toBe(200);
  },
);

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

const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A node as a process of its own, in a data folder that outlives it. */
async function startMirrorProcess(environment: Record<string, string>) {
  const env = { ...programEnvironment, PORT: '0', SHUTDOWN_DELAY: '0', ...environment };
  const child = spawn(process.execPath, [entry, '--files-only'], {
    env,
    cwd: environment['DATA_DIR'],
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]: unknown[]) => code);
  const said = await Promise.race([once(child.stdout, 'data').then(([data]) => String(data)), ended]);
  child.stdout.resume();
  child.stderr.resume();
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  onTestFinished(() => void kill('SIGKILL'));
  return { said: String(said), url: `http://127.0.0.1:${/:(\d+) /.exec(String(said))?.[1]}`, kill };
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-mirror-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Hits that are on the disk of a node. */
async function hitsOnDisk(dataDir: string): Promise<number> {
  const root = join(dataDir, 'hits');
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.hits'));
  const texts = await Promise.all(names.map((name) => readFile(join(root, name), 'utf8').catch(() => '')));
  return [...texts.join('').matchAll(/^\S+ (\d+) /gm)].reduce((sum, [, hits]) => sum + Number(hits), 0);
}

test.runIf(postgres)('hits on the disk survive a kill, and the next process starts without the primary', async () => {
  const name = await upload('survives');
  const [toPrimary, toStandby] = [await relayTo(fleet.primary), await relayTo(fleet.standby)];
  await caughtUp();
  const environment = { ...settings(toPrimary, toStandby), DATA_DIR: await newFolder() };
  const first = await startMirrorProcess(environment);
  await toPrimary.cut();
  await expect.poll(() => statusOf(first, name)).toBe(200);
  for (let times = 1; times < 30; times += 1) expect(await statusOf(first, name)).toBe(200);
  await expect.poll(() => hitsOnDisk(environment.DATA_DIR)).toBe(30);
  await first.kill('SIGKILL');
  const second = await startMirrorProcess(environment);
  expect(second.said).toMatch(/is listening on \S+ and serves only the files of /);
  for (let times = 0; times < 5; times += 1) expect(await statusOf(second, name)).toBe(200);
  expect(await hitsOf(name)).toBe(0);
  await toPrimary.mend();
  await expect.poll(() => hitsOf(name)).toBe(35);
  expect(await second.kill('SIGTERM')).toBe(0);
  expect(await hitsOf(name)).toBe(35);
  expect(await readdir(join(environment.DATA_DIR, 'hits'))).toEqual([]);
});

test.runIf(postgres).each([
  ['after the commit', 10],
  ['before the commit', 5],
] as const)('killed while it waits for the answer to a batch, %s, it counts each hit once', async (lost, counted) => {
  const name = await upload(lost);
  const [toPrimary, toStandby] = [await relayTo(fleet.primary), await relayTo(fleet.standby)];
  await caughtUp();
  const environment = { ...settings(toPrimary, toStandby), DATA_DIR: await newFolder() };
  const download = async (mirror: { url: string }, times: number) => {
    for (let time = 0; time < times; time += 1) expect(await statusOf(mirror, name)).toBe(200);
  };
  const first = await startMirrorProcess(environment);
  await download(first, 5);
  await expect.poll(() => hitsOf(name)).toBe(5);
  await expect.poll(() => hitsOnDisk(environment.DATA_DIR)).toBe(0);
  await toPrimary.cut();
  await expect.poll(() => statusOf(first, name)).toBe(200);
  await download(first, 4);
  await expect.poll(() => hitsOnDisk(environment.DATA_DIR)).toBe(5);
  toPrimary.loseCommit(lost, { thenCut: true });
  await toPrimary.mend();
  // The answer is lost, so it stays on the disk.
  await expect.poll(() => toPrimary.hasLostCommit()).toBe(true);
  await expect.poll(() => hitsOf(name)).toBe(counted);
  expect(await hitsOnDisk(environment.DATA_DIR)).toBe(5);
  await first.kill('SIGKILL');
  await toPrimary.mend();
  const second = await startMirrorProcess(environment);
  await expect.poll(() => hitsOnDisk(environment.DATA_DIR)).toBe(0);
  expect(await second.kill('SIGTERM')).toBe(0);
  expect(await hitsOf(name)).toBe(10);
});

test.runIf(postgres)('two workers of a node serve links, and count each hit once, also after an outage', async () => {
  const name = await upload('of two workers');
  const [toPrimary, toStandby] = [await relayTo(fleet.primary), await relayTo(fleet.standby)];
  await caughtUp();
  const environment = { ...settings(toPrimary, toStandby), DATA_DIR: await newFolder(), WORKERS: '2' };
  const node = await startMirrorProcess(environment);
  expect(node.said).toMatch(/is listening on \S+ and serves only the files of /);
  // Each on a connection of its own, because the parent passes connections on in turn.
  const download = async (times: number) => {
    for (let time = 0; time < times; time += 1) expect(await statusOnItsOwn(`${node.url}/file/${name}`)).toBe(200);
  };
  await download(20);
  await expect.poll(() => hitsOf(name)).toBe(20);
  await toPrimary.cut();
  await expect.poll(() => statusOnItsOwn(`${node.url}/file/${name}`)).toBe(200);
  await download(19);
  await expect.poll(() => hitsOnDisk(environment.DATA_DIR)).toBe(20);
  await toPrimary.mend();
  await expect.poll(() => hitsOf(name)).toBe(40);
  expect(await node.kill('SIGTERM')).toBe(0);
  expect(await hitsOf(name)).toBe(40);
  expect(await readdir(join(environment.DATA_DIR, 'hits'))).toEqual([]);
});

async function statusOnItsOwn(url: string): Promise<number | undefined> {
  const asked = httpGet(url, { agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

test.runIf(postgres)('PostgreSQL itself is stopped and started again', async () => {
  const name = await upload('restarted');
  await using beside = await startBeside();
  const { mirror } = beside;
  await fleet.primary.stop();
  for (let times = 0; times < 10; times += 1) expect(await statusOf(mirror, name)).toBe(200);
  await fleet.standby.stop();
  await expect.poll(() => get(mirror, name)).toMatchObject(unavailable);
  await fleet.standby.start();
  await expect.poll(() => statusOf(mirror, name)).toBe(200);
  await fleet.primary.start();
  await expect.poll(() => hitsOf(name).catch(() => undefined)).toBeGreaterThanOrEqual(11);
  await expect.poll(() => mirror.context.replicaWatch.problems).toEqual({ replica: null, primary: null });
});
