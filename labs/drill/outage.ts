/** A server on its own PostgreSQL under load, while something happens to the database. */
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { newAccountRows } from '@holdfast/test-support/account-rows.ts';
import { type PostgresServer, startPostgres } from '@holdfast/test-support/start-postgres.ts';
import { startServerProcess, type ServerProcess } from '../../server/test/harness/server-process.ts';
import { formWith, sha256 } from '../../server/test/harness/uploads.ts';

const secret = 'a secret of at least thirty-two characters';
const accounts = 8;
const warmFiles = 20;
const readers = 4;
/** Milliseconds between two calls of one client. */
const pause = 20;

interface Stored {
  readonly url: string;
  readonly digest: string;
}

export interface Report {
  /** Null while the process runs. */
  readonly exit: number | null;
  readonly acknowledged: number;
  /** Acknowledged uploads that cannot be downloaded afterwards. */
  readonly lost: number;
  /** Calls that were not served, by status; 0 is a connection without a response. */
  readonly refused: Readonly<Record<number, number>>;
  readonly refusedWithoutRetryAfter: number;
  readonly slowestRefusalMs: number;
  readonly warmDownloads: number;
  readonly failedWarmDownloads: number;
  /** Milliseconds from the return of the database to the first upload that is stored. */
  readonly recoveredAfterMs: number;
  readonly logLines: number;
  /** The first errors and alarms that the server logged. */
  readonly errors: readonly string[];
}

export interface Outage {
  readonly postgres: PostgresServer;
  readonly server: ServerProcess;
  /** Connects to the database as another program. */
  readonly connect: () => Promise<pg.Client>;
  /** Waits until the server stores uploads again. */
  readonly recovered: () => Promise<void>;
}

interface Options {
  /** Settings of PostgreSQL. */
  readonly settings?: readonly string[];
  /** Returns the address through which the server reaches the database. */
  readonly through?: (url: string) => Promise<string>;
}

/** Runs `happening` under load, and checks afterwards what was acknowledged. */
export async function duringLoad(
  happening: (outage: Outage) => Promise<void>,
  { settings = [], through = async (url) => url }: Options = {},
): Promise<Report> {
  await using postgres = await startPostgres(settings);
  const database = `${postgres.url}/postgres`;
  await using server = await startServerProcess({
    DATABASE_URL: await through(database),
    SECRET_KEY: secret,
    TRUST_PROXY: '127.0.0.1',
  });
  const origin = await server.listening;
  const keys = await addAccounts(database);
  const warm = await Promise.all(
    Array.from({ length: warmFiles }, (_, at) => mustUpload(origin, keys[at % accounts] ?? '')),
  );
  const load = startLoad(origin, keys, warm);
  await load.until(100);
  const connect = async () => {
    const client = new pg.Client(database);
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const recovered = () => load.until(load.acknowledged.length + 50);
  await happening({ postgres, server, connect, recovered });
  const backAt = performance.now();
  const stored = load.acknowledged.length;
  if (!server.hasEnded) await recovered();
  const recoveredAfterMs = (load.acknowledged[stored]?.at ?? Infinity) - backAt;
  await load.stop();
  let lost = 0;
  if (!server.hasEnded)
    for (const { url, digest } of [...warm, ...load.acknowledged])
      if ((await get(origin, url)).digest !== digest) lost += 1;
  return {
    ...load.counts,
    exit: server.hasEnded ? await server.ended : null,
    acknowledged: load.acknowledged.length,
    lost,
    recoveredAfterMs: Math.round(recoveredAfterMs),
    logLines: server.log.length,
    errors: server.log.filter((line) => !/"level":[34]0/.test(line)).slice(0, 5),
  };
}

function startLoad(origin: string, keys: readonly string[], warm: readonly Stored[]) {
  const acknowledged: (Stored & { at: number })[] = [];
  const counts = {
    refused: {} as Record<number, number>,
    refusedWithoutRetryAfter: 0,
    slowestRefusalMs: 0,
    warmDownloads: 0,
    failedWarmDownloads: 0,
  };
  const note = ({ status, retryAfter, ms }: Sent) => {
    if (status === 200) return;
    counts.refused[status] = (counts.refused[status] ?? 0) + 1;
    if (status !== 0 && retryAfter === null) counts.refusedWithoutRetryAfter += 1;
    counts.slowestRefusalMs = Math.max(counts.slowestRefusalMs, Math.round(ms));
  };
  const stopping = new AbortController();
  const forever = async (work: (turn: number) => Promise<void>) => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      await work(turn);
      await wait(pause);
    }
  };
  const upload = async (key: string) => {
    const { sent, stored } = await tryUpload(origin, key);
    note(sent);
    if (stored) acknowledged.push({ ...stored, at: performance.now() });
  };
  const read = async (file: Stored | undefined) => {
    if (!file) return;
    const { digest, sent } = await get(origin, file.url);
    note(sent);
    counts.warmDownloads += 1;
    if (digest !== file.digest) counts.failedWarmDownloads += 1;
  };
  const running = [
    ...keys.map((key) => forever(() => upload(key))),
    ...keys.map((key) => forever(async () => note(await send(origin, '/api/v3/rest/get-account-info', { key })))),
    ...Array.from({ length: readers }, (_, at) => forever((turn) => read(warm[(turn * readers + at) % warm.length]))),
  ];
  return {
    acknowledged,
    counts,
    async until(count: number) {
      const giveUpAt = performance.now() + 60_000;
      while (acknowledged.length < count && performance.now() < giveUpAt) await wait(pause);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

interface Sent {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
  readonly body: Uint8Array;
}

/** Each call comes from another address, because limits of one address are not the subject here. */
async function send(
  origin: string,
  path: string,
  { key, form }: { readonly key?: string; readonly form?: FormData } = {},
): Promise<Sent> {
  const startedAt = performance.now();
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const headers = { 'X-Forwarded-For': address, ...(key !== undefined && { 'X-API-Key': key }) };
  try {
    const answer = await fetch(origin + path, { headers, ...(form && { method: 'POST', body: form }) });
    const body = new Uint8Array(await answer.arrayBuffer());
    const retryAfter = answer.headers.get('Retry-After');
    return { status: answer.status, retryAfter, ms: performance.now() - startedAt, body };
  } catch {
    return { status: 0, retryAfter: null, ms: performance.now() - startedAt, body: new Uint8Array() };
  }
}

async function tryUpload(origin: string, key: string): Promise<{ sent: Sent; stored: Stored | null }> {
  const bytes = new Uint8Array(randomBytes(2_000));
  const sent = await send(origin, '/api/v3/upload', { key, form: formWith(bytes) });
  if (sent.status !== 200) return { sent, stored: null };
  const { url } = JSON.parse(Buffer.from(sent.body).toString()) as { url: string };
  return { sent, stored: { url: new URL(url).pathname, digest: sha256(bytes) } };
}

async function mustUpload(origin: string, key: string): Promise<Stored> {
  const { sent, stored } = await tryUpload(origin, key);
  if (!stored) throw new Error(`the upload was answered with ${sent.status}`);
  await get(origin, stored.url);
  return stored;
}

async function get(origin: string, path: string): Promise<{ digest: string | null; sent: Sent }> {
  const sent = await send(origin, path);
  return { digest: sent.status === 200 ? sha256(sent.body) : null, sent };
}

/** Returns the API keys of new accounts. */
async function addAccounts(database: string): Promise<string[]> {
  const client = new pg.Client(database);
  await client.connect();
  const keys = [];
  for (let n = 0; n < accounts; n += 1) {
    const made = await newAccountRows({
      email: `person${n}@example.com`,
      password: 'Correct-Horse-7',
      plan: 'power',
      now: Date.now(),
      secret: Buffer.from(secret),
    });
    const columns = Object.entries(made.account);
    await client.query(
      `INSERT INTO accounts (${columns.map(([name]) => name).join(', ')}) VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      columns.map(([, value]) => value),
    );
    keys.push(made.apiKey);
  }
  await client.end();
  return keys;
}
