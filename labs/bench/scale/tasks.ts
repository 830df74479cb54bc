/** The jobs and other work over the whole database, each while others look files up. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '@holdfast/server/src/config/config.ts';
import { type Context, openContext } from '@holdfast/server/src/context.ts';
import { openHitCounter } from '@holdfast/server/src/delivery/hits.ts';
import { type BlobId, BlobMissing } from '@holdfast/server/src/storage/blobs/blobs.ts';
import type { Scanner } from '@holdfast/server/src/services/scanner/scanner.ts';
import { seconds } from '@holdfast/server/src/lib/clock.ts';
import { openLog } from '@holdfast/server/src/lib/open-log.ts';
import { createDeletionLimit, DeletionLimitExceeded } from '@holdfast/server/src/jobs/deletion-limit.ts';
import { jobs } from '@holdfast/server/src/jobs/schedule.ts';
import { measureStorage } from '@holdfast/server/src/monitoring/server-metrics.ts';
import { backUp } from '@holdfast/server/src/operator/backup/back-up.ts';
import { gatherStats } from '@holdfast/server/src/operator/stats.ts';
import type { Engine, Store } from '../harness/engine.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { percentile } from '../harness/percentile.ts';
import { holdJobs } from './hold-jobs.ts';
import { type LookUps, openLookUps } from './look-ups.ts';
import type { Shape } from './shape.ts';
import { type LongestStatement, openStatements, role, type Statements } from './statements.ts';

export interface MeasuredTask {
  readonly name: string;
  /** Counts of what it did, such as `{ files: 12 }`. */
  readonly did: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Only PostgreSQL measures statements. */
  readonly longest: LongestStatement | null;
  /** Bytes written to the log of PostgreSQL, for its replicas and for recovery. */
  readonly logged: number | null;
  /** Times of look-ups over HTTP meanwhile, in milliseconds. */
  readonly lookUps: { readonly count: number; readonly p50: number; readonly p99: number; readonly max: number };
  /** The reason why it could not be done, otherwise null. */
  readonly failed: string | null;
}

/** One find more than the deletion limit admits without counting everything. */
const infected = 101;
const backupFor = seconds(60);
const flushes = { count: 40, files: 500 } as const;

/** Measures everything on PostgreSQL, and on SQLite what reads. */
export async function measureTasks(
  engine: Engine,
  store: Store,
  shape: Shape,
  folder: string,
): Promise<readonly MeasuredTask[]> {
  await using opened = new AsyncDisposableStack();
  const url = store.environment['DATABASE_URL'];
  const statements = url === undefined ? null : opened.use(await openStatements(url));
  const context = opened.use(await openOwnContext(store, url));
  opened.use(await holdJobs(context.db));
  const server = opened.use(await startHoldfast(store.dataDir, store.environment));
  const lookUps = await openLookUps(server.url, shape, folder);
  const tasks: MeasuredTask[] = [];
  for (const [name, work] of workOf({ engine, context, shape, folder, statements })) {
    const task = await measure(name, work, lookUps, statements);
    tasks.push(task);
    console.log(`${engine}: ${name}: ${JSON.stringify(task)}`);
  }
  return tasks;
}

type Work = () => Promise<Readonly<Record<string, number>>>;

interface Place {
  readonly engine: Engine;
  readonly context: Context;
  readonly shape: Shape;
  readonly folder: string;
  readonly statements: Statements | null;
}

function workOf({ engine, context, shape, folder, statements }: Place): readonly (readonly [string, Work])[] {
  const reading: (readonly [string, Work])[] = [
    ['nothing else', () => setTimeout(seconds(20)).then(() => ({}))],
    ['the metrics of what is stored', () => again(() => measureStorage(context))],
    ['`stats`', () => again(() => gatherStats(context))],
    ['hits of 500 files at once', () => writeHits(context, shape)],
    ['the first rows of a `backup`', () => beginBackup(context, join(folder, 'backup'))],
  ];
  if (engine === 'SQLite' || statements === null) return reading;
  const jobNames = [
    'delete-expired',
    'delete-unverified',
    'auto-delete',
    'dormancy',
    'empty-accounts',
    'rescan',
    'sweep-strays',
    'purge',
  ];
  const writeCompressed = async () => {
    await statements.set('wal_compression', 'pglz');
    return writeHits(context, shape);
  };
  return [
    ...reading,
    ['the same hits, with `wal_compression`', writeCompressed],
    ...jobNames.map(
      (name) => [`\`${name}\``, () => runJob({ ...context, ...standIns(context, shape) }, shape, name)] as const,
    ),
  ];
}

/** Long enough to see what others feel meanwhile. */
async function again(work: () => Promise<unknown>): Promise<{ times: number }> {
  const start = performance.now();
  for (let times = 1; ; times += 1) {
    await work();
    if (performance.now() - start > seconds(5)) return { times };
  }
}

async function measure(
  name: string,
  work: Work,
  lookUps: LookUps,
  statements: Statements | null,
): Promise<MeasuredTask> {
  await statements?.forget();
  const before = await statements?.logged();
  const { result, latencies } = await lookUps.during(() => timed(work));
  const after = await statements?.logged();
  return {
    name,
    ...result,
    longest: (await statements?.longest()) ?? null,
    logged: before === undefined || after === undefined ? null : after - before,
    lookUps: {
      count: latencies.length,
      p50: percentile(latencies, 50),
      p99: percentile(latencies, 99),
      max: latencies.reduce((most, ms) => Math.max(most, ms), 0),
    },
  };
}

async function timed(work: Work): Promise<Pick<MeasuredTask, 'did' | 'failed' | 'seconds'>> {
  const start = performance.now();
  const secondsSince = () => (performance.now() - start) / 1000;
  try {
    const did = await work();
    return { did, failed: null, seconds: secondsSince() };
  } catch (error) {
    return { did: {}, failed: error instanceof Error ? error.message : String(error), seconds: secondsSince() };
  }
}

/** The server's own engines, with a role of its own on PostgreSQL. */
function openOwnContext(store: Store, url: string | undefined): Promise<Context> {
  const environment = {
    DATA_DIR: store.dataDir,
    CAPTCHA: 'none',
    DORMANT_ACCOUNTS: 'delete',
    ...store.environment,
    ...(url !== undefined && { DATABASE_URL: url.replace(/\/\/[^@]+@/, `//${role}:${role}@`) }),
  };
  return openContext(readConfig(environment), openLog({ write() {} }));
}

/** Bytes are listed and removed in no time, and each scan takes none: what remains is the work of the database. */
function standIns(context: Context, shape: Shape): Pick<Context, 'blobs' | 'scanner'> {
  const table = shape.tables.find(({ name }) => name === 'blobs');
  let scans = 0;
  const blobs: Context['blobs'] = {
    ...context.blobs,
    async *list() {
      for (let at = 0; at < (table?.count ?? 0); at += 1) {
        const row = table?.rowAt(at);
        if (row) yield { id: row['id'] as BlobId, size: Number(row['size']), storedAt: Number(row['created_at']) };
      }
    },
    async remove() {},
    open: (id) => Promise.reject(new BlobMissing(id)),
  };
  const scanner: Scanner = {
    scans: true,
    async scan() {
      scans += 1;
      return scans <= infected ? { kind: 'infected', signature: 'Bench-Test' } : { kind: 'clean' };
    },
    check: () => Promise.resolve({ version: 'none', problems: [] }),
  };
  return { blobs, scanner };
}

async function runJob(context: Context, shape: Shape, name: string): Promise<Readonly<Record<string, number>>> {
  const job = jobs.find((each) => each.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  if (name === 'empty-accounts')
    await context.db
      .updateTable('accounts')
      .set({ closed_at: context.clock.now() })
      .where('id', '=', shape.closing.id)
      .execute();
  const signal = new AbortController().signal;
  try {
    return await job.run({
      context,
      dryRun: false,
      signal,
      deletionLimit: createDeletionLimit(null),
      passOver: (item, error) => {
        throw new Error(item, { cause: error });
      },
    });
  } catch (error) {
    if (!(error instanceof DeletionLimitExceeded)) throw error;
    return { stopped: 1 };
  }
}

async function writeHits(context: Context, shape: Shape): Promise<Readonly<Record<string, number>>> {
  await using hits = openHitCounter(context);
  let files = 0;
  for (let flush = 0; flush < flushes.count; flush += 1) {
    for (let count = 0; count < flushes.files; count += 1) hits.note(shape.pickFile().id, 'hit');
    await hits.flush();
    files += flushes.files;
  }
  return { files };
}

/** All rows of a large database would take an hour. The time of each is the same, because they are read in pages. */
async function beginBackup(context: Context, target: string): Promise<Readonly<Record<string, number>>> {
  let rows = 0;
  const signal = AbortSignal.timeout(backupFor);
  try {
    const onRows = (done: number) => (rows = done);
    await backUp(context, target, { signal, withBytes: false, keepDays: 1, onRows, onBlobs: () => {} });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await rm(target, { recursive: true, force: true });
  return { rows };
}
