/** A service in processes of its own, which is moved from one place to another. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { newAccountRows } from '@holdfast/test-support/account-rows.ts';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openContext } from '../../src/context.ts';
import { seconds } from '../../src/lib/clock.ts';
import { goodPassword } from './accounts.ts';
import { startHoldfast } from './holdfast.ts';
import { newFolder } from './new-place.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { newTestBlobs } from './test-blobs.ts';
import { createTestDatabase, placeMigrated } from './test-database.ts';
import { formWith, storedNameOf } from './uploads.ts';

/** The settings of a place. */
export interface Place {
  readonly DATA_DIR: string;
  readonly DATABASE_URL: string;
  readonly BLOBS_URL: string;
}

export interface StoredFile {
  readonly name: string;
  readonly sha256: string;
}

/** A place with SQLite and a folder, and an account on the plan Power. */
export async function newService(): Promise<{ place: Place; apiKey: string }> {
  const place = await newSqlitePlace();
  // This process would write it so that others can read it.
  await placeMigrated(place.DATABASE_URL.slice('sqlite:'.length));
  await using context = await openContext(readConfig({ ...place }), pino({ enabled: false }));
  const rows = await newAccountRows({
    email: 'ann@example.com',
    password: goodPassword,
    plan: 'power',
    now: Date.now(),
    secret: context.secret,
  });
  await context.db
    .insertInto('accounts')
    .values({ ...rows.account, name: 'Ann 🐙' })
    .execute();
  await context.db.insertInto('sessions').values(rows.session).execute();
  return { place, apiKey: rows.apiKey };
}

/** `dataDir` has the secret key, which stays when a service is moved. */
export async function newSqlitePlace(dataDir?: string): Promise<Place> {
  const folder = await newFolder();
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  return {
    DATA_DIR: dataDir ?? join(folder, 'data'),
    DATABASE_URL: `sqlite:${join(folder, 'data', 'holdfast.db')}`,
    BLOBS_URL: `file:${join(folder, 'data', 'blobs')}`,
  };
}

/** A place with the database and the storage of this test run: PostgreSQL or another file, S3 or another folder. */
export async function newOtherPlace({ DATA_DIR }: Place): Promise<Place> {
  const place = await newSqlitePlace(DATA_DIR);
  const database = await createTestDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const { BLOBS_URL = place.BLOBS_URL } = newTestBlobs();
  return { DATA_DIR, DATABASE_URL: database.url ?? place.DATABASE_URL, BLOBS_URL };
}

/** For a place on S3. */
const credentials = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[0].startsWith('AWS_') && entry[1] !== undefined,
    ),
  );

export interface RunningService extends AsyncDisposable {
  readonly url: string;
  readonly process: ServerProcess;
  upload(
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<StoredFile | { status: number; error: string; retryAfter: string | null }>;
  deleteFile(name: string): Promise<number>;
  /** The SHA-256 of a file's bytes, or the status of a refusal. */
  download(name: string): Promise<string | number>;
  stop(): Promise<void>;
}

export async function startService(place: Place, apiKey: string): Promise<RunningService> {
  const settings = { ...credentials(), ...place, SHUTDOWN_DELAY: '0', TRUST_PROXY: '127.0.0.1' };
  const started = await startServerProcess(settings);
  const url = await started.listening;
  // Each call comes from another client, because the limits are those of one.
  let clients = 0;
  const send = (method: string, path: string, headers: Readonly<Record<string, string>>, body: FormData | string) =>
    fetch(`${url}/api/v3/${path}`, {
      method,
      headers: { ...headers, 'X-API-Key': apiKey, 'X-Forwarded-For': `10.0.${(clients += 1) >> 8}.${clients & 255}` },
      body,
    });
  return {
    url,
    process: started,
    async upload(bytes) {
      const answer = await send('POST', 'upload', {}, formWith(bytes, 'naïve 🐙.bin'));
      const body = (await answer.json()) as { url: string; error: string };
      if (answer.status === 200) return { name: storedNameOf(body.url), sha256: digest(bytes) };
      return { status: answer.status, error: body.error, retryAfter: answer.headers.get('retry-after') };
    },
    async download(name) {
      const answer = await fetch(`${url}/file/${name}?no-count=true`);
      const body = new Uint8Array(await answer.arrayBuffer());
      return answer.status === 200 ? digest(body) : answer.status;
    },
    async deleteFile(name) {
      const json = { 'Content-Type': 'application/json' };
      return (await send('DELETE', 'rest/delete-files', json, JSON.stringify({ files: [name] }))).status;
    },
    async stop() {
      started.stop();
      await started.ended;
    },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Uploads `count` files, of which some are empty, most are small and a few are large. */
export async function fill(service: RunningService, count: number): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  const sizeOf = (at: number) => (at % 40 === 0 ? 1_500_000 : at % 7 === 0 ? 0 : 1 + ((at * 37) % 9_000));
  let next = 0;
  const one = async () => {
    while (next < count) {
      const bytes = randomBytes(sizeOf(next++));
      let end = await service.upload(bytes);
      // A quick machine is faster than an account may be.
      for (; 'status' in end && end.status === 429; end = await service.upload(bytes)) await wait(seconds(1));
      if (!('name' in end)) throw new Error(`an upload was refused: ${end.status} ${end.error}`);
      stored.push(end);
    }
  };
  await Promise.all([one(), one(), one(), one()]);
  return stored;
}

/** Returns the files that a service does not serve with the bytes that were uploaded. */
export async function lostFiles(service: RunningService, files: readonly StoredFile[]): Promise<unknown[]> {
  const lost: unknown[] = [];
  const rest = files.values();
  const one = async () => {
    for (const { name, sha256 } of rest) {
      const found = await service.download(name);
      if (found !== sha256) lost.push({ name, found });
    }
  };
  await Promise.all([one(), one(), one(), one()]);
  return lost;
}

/** Uploads files until it is stopped, and returns those that were acknowledged. */
export function uploadSteadily(service: RunningService, sizes: () => number) {
  const stored: StoredFile[] = [];
  const refusals = new Set<number>();
  const stopping = new AbortController();
  const one = async () => {
    while (!stopping.signal.aborted) {
      const end = await service.upload(randomBytes(sizes())).catch(() => null);
      if (end && 'name' in end) stored.push(end);
      else if (end) refusals.add(end.status);
      // A key may upload 200 files a second.
      await wait(end && 'name' in end ? 20 : 200);
    }
  };
  const running = Promise.all([one(), one()]);
  return {
    stored,
    /** Statuses of those that were refused. */
    refusals,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Runs a command with the settings of a place. */
export async function command(place: Place, ...args: readonly string[]) {
  return (await startCommand(place, args)).ended;
}

export interface RunningCommand {
  readonly ended: Promise<{ code: number; out: string; err: string }>;
  /** Resolves when standard error has this text. */
  says(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Returns whether a signal has ended it. */
  wasKilled(): boolean;
}

export async function startCommand(place: Place, args: readonly string[]): Promise<RunningCommand> {
  const config = readConfig({ ...place });
  const { child, ended } = await startHoldfast({ dataDir: place.DATA_DIR, context: { config } }, args, {
    ...credentials(),
    ...place,
  });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return {
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => err.includes(text) && resolve();
        look();
        child.stderr.on('data', look);
        child.once('close', () => reject(new Error(`the command ended and said: ${err}`)));
      }),
    signal: (name) => void child.kill(name),
    wasKilled: () => child.signalCode !== null,
  };
}

/** Starts a move and kills it with SIGKILL at the moment; returns false if it has ended before. */
export async function killMove(
  from: Place,
  args: readonly string[],
  moment: (running: RunningCommand) => Promise<unknown>,
): Promise<boolean> {
  const running = await startCommand(from, args);
  await moment(running);
  running.signal('SIGKILL');
  await running.ended;
  return running.wasKilled();
}

/** The arguments that move a service to a place. */
export const moveTo = ({ DATABASE_URL, BLOBS_URL }: Place): string[] => [
  'move',
  '--to-database',
  DATABASE_URL,
  '--to-blobs',
  BLOBS_URL,
];
