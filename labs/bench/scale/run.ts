/**
 * `node labs/bench/scale/run.ts`: fills a database of each engine with ten million files, and measures rows 9, 10 and 12 of
 * the table, the sizes of tables and indexes, and jobs and other work over all rows. `--files 1000000` sets another
 * number, `--only PostgreSQL` measures one engine, `--folder` sets where the data is, and `--try` keeps no results.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Engine, openStore, type Store } from '../harness/engine.ts';
import { openListsOf } from '../harness/file-lists.ts';
import { startOnce } from '../harness/first-answer.ts';
import { describeMachine } from '../harness/machine.ts';
import { fileListLines } from '../rows/09-file-list.ts';
import { publicNamesLines } from '../rows/10-public-names.ts';
import { firstAnswerLine } from '../rows/12-start-to-answer.ts';
import { fillPostgres } from './fill-postgres.ts';
import { fillSqlite } from './fill-sqlite.ts';
import { holdJobs } from './hold-jobs.ts';
import { keepScale, type ScaleResult } from './keep.ts';
import { type Shape, shapeOf } from './shape.ts';
import { type Size, sizesOnPostgres, sizesOnSqlite } from './sizes.ts';
import { measuringSettings } from './statements.ts';
import { measureTasks } from './tasks.ts';

const engines: readonly Engine[] = ['PostgreSQL', 'SQLite'];
/** On the disk, with what a fill needs for a while. */
const bytesPerFile = 4_000;
const small = 100_000;
const postgresSettings = [
  ...measuringSettings,
  'shared_buffers=2GB',
  'effective_cache_size=8GB',
  'max_wal_size=8GB',
  'checkpoint_timeout=15min',
  // Rows that are copied into a new table need no log. Nothing is replicated here.
  'wal_level=minimal',
  'max_wal_senders=0',
];

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10000000' },
    only: { type: 'string' },
    folder: { type: 'string', default: tmpdir() },
    try: { type: 'boolean', default: false },
  },
});
const files = Number(values.files);
/** An account has at most 100,000 files, and is at most a tenth of the table. */
const listSizes = [1_000, 10_000, 100_000].filter((size) => size * 10 <= files);
const chosen = engines.filter((engine) => values.only === undefined || engine === values.only);
if (!Number.isInteger(files / small) || files <= 0)
  stop(`--files is '${values.files}', but must be a multiple of 100000.`);
if (chosen.length === 0) stop(`--only is '${values.only}', but must be ${engines.join(' or ')}.`);
mkdirSync(values.folder, { recursive: true });
const { bavail, bsize } = statfsSync(values.folder);
if (bavail * bsize < files * bytesPerFile)
  stop(
    `${values.folder} has ${gigabytes(bavail * bsize)} of free space, but ${gigabytes(files * bytesPerFile)} are needed.`,
  );
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

for (const engine of chosen) {
  const folder = mkdtempSync(join(values.folder, 'holdfast-scale-'));
  // PostgreSQL runs as another user if this process is root.
  chmodSync(folder, 0o755);
  const clear = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clear);
  await measureEngine(engine, folder, async (result) => {
    if (!values.try) await keepScale(engine, result);
  });
  process.off('exit', clear);
  clear();
}

/** Calls `keep` with what is measured so far, because all of it takes more than an hour. */
async function measureEngine(
  engine: Engine,
  folder: string,
  keep: (result: ScaleResult) => Promise<void>,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const open = async (name: string) =>
    opened.use(
      await openStore(engine, join(folder, name), { durable: true, parent: folder, settings: postgresSettings }),
    );
  const stores = { empty: await open('empty'), few: await open('few'), many: await open('many') };
  const few = await shapeOf(small, [1_000], stores.few.secret);
  const many = await shapeOf(files, listSizes, stores.many.secret);
  await fill(engine, stores.few, few, folder);
  const start = performance.now();
  await fill(engine, stores.many, many, folder);
  const filledIn = (performance.now() - start) / 1000;
  const sizes = await step(`${engine}: sizes`, () => sizesOf(engine, stores.many));
  const lines = await measureRows(engine, { folder, ...stores, fewFiles: few, manyFiles: many });
  const [measuredAt, machine] = [new Date().toISOString(), await describeMachine()];
  const result = { measuredAt, machine, files, filledIn, sizes, lines, tasks: [] };
  await keep(result);
  await keep({ ...result, tasks: await measureTasks(engine, stores.many, many, folder) });
}

async function fill(engine: Engine, store: Store, shape: Shape, folder: string): Promise<void> {
  await step(`${engine}: filling with ${shape.files.toLocaleString('en')} files`, async () => {
    await (await store.open()).destroy();
    if (engine === 'SQLite') fillSqlite(join(store.dataDir, 'holdfast.db'), shape);
    else await fillPostgres(urlOf(store), shape, folder);
  });
}

function sizesOf(engine: Engine, store: Store): Size[] | Promise<Size[]> {
  return engine === 'SQLite' ? sizesOnSqlite(join(store.dataDir, 'holdfast.db')) : sizesOnPostgres(urlOf(store));
}

function urlOf({ environment }: Store): string {
  return environment['DATABASE_URL'] ?? '';
}

interface Places {
  readonly folder: string;
  readonly empty: Store;
  readonly few: Store;
  readonly many: Store;
  readonly fewFiles: Shape;
  readonly manyFiles: Shape;
}

async function measureRows(engine: Engine, places: Places): Promise<ScaleResult['lines']> {
  const { folder, empty, few, many, fewFiles, manyFiles } = places;
  await using held = new AsyncDisposableStack();
  for (const store of [empty, few, many]) held.use(await holdJobs(held.use(await store.open())));
  const lists = await step(`${engine}: row 9`, async () => {
    await using opened = await openListsOf(many, manyFiles.lists);
    return await fileListLines(engine, opened, { total: files, rounds: 9 });
  });
  const names = await step(`${engine}: row 10`, () =>
    publicNamesLines(
      engine,
      [
        { store: few, total: fewFiles.files, pick: fewFiles.pickFile },
        { store: many, total: manyFiles.files, pick: manyFiles.pickFile },
      ],
      { count: 1_000, rounds: 9 },
    ),
  );
  const starts = await step(`${engine}: row 12`, async () => {
    const expected = { folder, file: manyFiles.pickFile() };
    const full = await startOnce(engine, many, { ...expected, isThere: true });
    const none = await startOnce(engine, empty, { ...expected, isThere: false });
    return [await firstAnswerLine(engine, { full, empty: none }, { files, rounds: 9 })];
  });
  return [
    { row: 9, lines: lists },
    { row: 10, lines: names },
    { row: 12, lines: starts },
  ];
}

async function step<T>(what: string, work: () => Promise<T> | T): Promise<T> {
  const start = performance.now();
  const result = await work();
  console.log(`${what} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
  return result;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

function stop(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
