/**
 * `npm run lab -- soak --minutes 30 [--postgres] [--requests 100000] [--seed 1]`: a long run of the real process. It ends with a table,
 * or with the first broken promise in one sentence, and then keeps its folder.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@holdfast/test-support/start-postgres.ts';
import pg from 'pg';
import { BrokenPromise } from '../load/broken-promise.ts';
import { cutDisk, openCutDisk } from '../load/cut-disk.ts';
import { cutPower } from '../load/interrupt.ts';
import { openPlace } from '../../server/test/harness/place.ts';
import { strace } from '../load/strace.ts';
import { canFail, failAt, killAt, openTrial, stepsOf } from '../load/write-order.ts';
import { startClamdStandIn } from '../../server/test/stand-ins/clamd.ts';
import { fuzzService } from '../fuzz/fuzz-process.ts';
import { startMailServer } from '../../server/test/harness/mail-server.ts';
import { type FaultyLine, openFaultyLine } from './faulty-line.ts';
import { runLoadPhases } from './load-phases.ts';
import { openReport } from './report.ts';
import { mountSmallDisk } from './small-disk.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
  },
});

const cuts = 10;
const report = openReport();
const folder = await mkdtemp(join(tmpdir(), 'holdfast-soak-'));
const owner = new AsyncDisposableStack();
try {
  await soak();
  report.print();
  await owner.disposeAsync();
  await rm(folder, { recursive: true, force: true });
} catch (error) {
  report.print();
  console.error(error instanceof BrokenPromise ? error.message : error);
  console.error(`The folder ${folder} is kept.`);
  process.exit(1);
}

async function soak(): Promise<void> {
  const database = values.postgres ? owner.use(await openDatabase()) : null;
  await loadAndFaults(database);
  await tryWriteOrder(database);
  await tryPowerCuts(database);
  await tryMutatedRequests(database);
}

interface OneDatabase extends AsyncDisposable {
  /** Creates an empty database, and returns its address through the line. */
  create(): Promise<string>;
  readonly line: FaultyLine;
}

async function openDatabase(): Promise<OneDatabase> {
  const server = await startPostgres();
  const line = await openFaultyLine(Number(new URL(server.url).port));
  let count = 0;
  return {
    line,
    async create() {
      const client = new pg.Client(`${server.url}/postgres`);
      await client.connect();
      await client.query(`CREATE DATABASE soak${(count += 1)}`);
      await client.end();
      const url = new URL(`${server.url}/soak${count}`);
      url.port = String(line.port);
      return url.href;
    },
    async [Symbol.asyncDispose]() {
      await line[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function loadAndFaults(database: OneDatabase | null): Promise<void> {
  const path = join(folder, 'disk');
  const disk = await mountSmallDisk(path);
  if (disk) owner.use(disk);
  else report.row('disk full', 0, 'skipped: a file system of its own needs root on Linux');
  const scanner = owner.use(await openFaultyLine(owner.use(await startClamdStandIn()).port));
  const mail = owner.use(await openFaultyLine(owner.use(await startMailServer()).port));
  const place = await openPlace(disk ? path : folder, database ? await database.create() : null, {
    SCANNER_URL: `clamd://127.0.0.1:${scanner.port}`,
    MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
  });
  await runLoadPhases({
    place: { ...place, logPath: join(folder, 'server.log') },
    minutes: Number(values.minutes),
    broken: { disk, lines: { scanner, 'mail server': mail, ...(database && { database: database.line }) } },
    report,
  });
}

async function tryWriteOrder(database: OneDatabase | null): Promise<void> {
  const reason = strace();
  if (reason !== null) return report.row('faults at each step of an upload', 0, `skipped: ${reason}`);
  const place = await openPlace(join(folder, 'steps'), database ? await database.create() : null);
  await using trial = await openTrial(place);
  const steps = stepsOf(place);
  let kills = 0;
  for (const step of steps) kills += (await killAt(trial, step)) ? 1 : 0;
  report.row('killed at each step of an upload', kills, '0 lost, 0 doubled');
  for (const step of steps.filter(canFail))
    for (const error of ['EIO', 'ENOSPC'] as const)
      report.progress(`${error} at the ${step.name}: ${await failAt(trial, step, error)}`);
  report.row('EIO and ENOSPC at each step', steps.filter(canFail).length * 2, 'answered, 0 lost, no temp file');
}

async function tryPowerCuts(database: OneDatabase | null): Promise<void> {
  const reason = cutDisk();
  if (reason !== null) return report.row('power cut', 0, `skipped: ${reason}`);
  await using disk = await openCutDisk(await mkdtemp(join(folder, 'cut-')));
  const place = await openPlace(disk.path, database ? await database.create() : null);
  const acknowledged = await cutPower(place, disk, true, {
    rounds: cuts,
    progress: (round, uploads) => report.progress(`power cut ${round}: ${uploads} uploads`),
  });
  report.row('power cut', cuts, `${acknowledged} acknowledged, 0 lost`);
}

async function tryMutatedRequests(database: OneDatabase | null): Promise<void> {
  const place = await openPlace(join(folder, 'fuzz'), database ? await database.create() : null);
  const requests = Number(values.requests);
  const { statuses, rss, descriptors } = await fuzzService(place, {
    requests,
    seed: Number(values.seed),
    progress: (sent) => report.progress(`${sent} mutated requests of ${requests}`),
  });
  const [before, after] = rss.map((mb) => mb.toFixed(0));
  report.row('mutated requests', requests, `0 of 500 or more but 503, 0 hung; 200: ${statuses.get(200) ?? 0}`);
  report.row('RSS in MB and descriptors', requests, `${before} → ${after}, ${descriptors.join(' → ')}`);
}
