import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../harness/children.ts';
import type { Engine } from '../harness/engine.ts';
import type { Machine } from '../harness/machine.ts';
import type { Line } from '../harness/row.ts';
import { cellsOf } from '../harness/table.ts';
import type { Size } from './sizes.ts';
import type { MeasuredTask } from './tasks.ts';

export interface ScaleResult {
  readonly measuredAt: string;
  readonly machine: Machine;
  readonly files: number;
  /** Seconds. */
  readonly filledIn: number;
  readonly sizes: readonly Size[];
  readonly lines: readonly { readonly row: number; readonly lines: readonly Line[] }[];
  readonly tasks: readonly MeasuredTask[];
}

type Results = Partial<Record<Engine, ScaleResult>>;

const samples = join(root, 'labs/bench/scale/results.json');
const page = join(root, 'docs/scale.md');

/** Replaces the results of an engine in `labs/bench/scale/results.json`, and writes the tables of `docs/scale.md` anew. */
export async function keepScale(engine: Engine, result: ScaleResult): Promise<void> {
  const former = existsSync(samples) ? (JSON.parse(await readFile(samples, 'utf8')) as Results) : {};
  const results: Results = { ...former, [engine]: result };
  await writeFile(samples, `${JSON.stringify(results, null, 2)}\n`);
  await writeTables(results);
}

async function writeTables(results: Results): Promise<void> {
  let text = await readFile(page, 'utf8');
  for (const [name, table] of Object.entries(tablesOf(results))) {
    const [opening, closing] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
    const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
    if (start === -1 || end < start) throw new Error(`docs/scale.md has no place for the table of ${name}`);
    text = `${text.slice(0, start + opening.length)}\n${table}\n\n${text.slice(end)}`;
  }
  await writeFile(page, text);
}

const count = (value: number) => Math.round(value).toLocaleString('en');
const megabytes = (bytes: number) => count(bytes / 1e6);

const tablesOf = (results: Results): Readonly<Record<string, string>> => ({
  machines: machinesOf(results),
  rows: rowsOf(results),
  sizes: sizesOf(results),
  work: workOf(results),
});

const entries = (results: Results) => Object.entries(results) as [Engine, ScaleResult][];

const machinesOf = (results: Results) =>
  markdown(
    ['database', 'files', 'filled in', 'measured on', 'machine'],
    entries(results).map(([engine, { files, filledIn, measuredAt, machine }]) => [
      engine,
      count(files),
      `${count(filledIn / 60)} min`,
      measuredAt.slice(0, 10),
      `${machine.processor}, ${machine.cores} cores, ${machine.memoryGB} GB, ${machine.system}, Node ${machine.node.slice(1)}`,
    ]),
  );

/** The bench's own table. */
const rowsOf = (results: Results) =>
  markdown(
    ['row', 'what', 'ours', 'against', 'result', 'goal'],
    entries(results).flatMap(([, { lines, machine, measuredAt }]) =>
      lines.flatMap(({ row, lines: ofRow }) =>
        cellsOf({ number: row, lines: ofRow, failed: null, measuredAt, machine }),
      ),
    ),
  );

/** Bytes. Smaller tables and indexes do not decide what a disk has to hold. */
const smallest = 50e6;

function sizesOf(results: Results): string {
  const all = entries(results);
  const keyOf = ({ table, index }: Size) => (index === null ? table : nameOf(table, index));
  const large = all.flatMap(([, { sizes }]) => sizes.filter(({ bytes }) => bytes >= smallest));
  const keys = [...new Set(large.map(keyOf))];
  return markdown(
    ['table or index', ...all.flatMap(([engine]) => [`rows, ${engine}`, 'MB', 'bytes a row'])],
    keys.map((key) => [
      `\`${key}\``,
      ...all.flatMap(([, { sizes }]) => {
        const size = sizes.find((each) => keyOf(each) === key);
        return size
          ? [count(size.rows), megabytes(size.bytes), count(size.bytes / Math.max(1, size.rows))]
          : ['–', '–', '–'];
      }),
    ]),
  );
}

/** SQLite numbers the indexes of keys, and PostgreSQL names them after their columns. */
function nameOf(table: string, index: string): string {
  const keys: Readonly<Record<string, string>> = {
    [`sqlite_autoindex_${table}_1`]: `${table}_pkey`,
    sqlite_autoindex_files_2: 'files_name_key',
    sqlite_autoindex_blobs_2: 'blobs_sha256_key',
    sqlite_autoindex_accounts_2: 'accounts_key_hash_key',
  };
  return keys[index] ?? index;
}

const workOf = (results: Results) =>
  markdown(
    ['work', 'did', 'time', 'longest statement', 'log of the database', 'look-ups meanwhile: p50, p99, longest'],
    entries(results).flatMap(([engine, { tasks }]) =>
      tasks.map(({ name, did, seconds, longest, logged, lookUps, failed }) => [
        `${engine}: ${name}`,
        failed ??
          (Object.entries(did)
            .map(([what, number]) => `${count(number)} ${what}`)
            .join(', ') ||
            '–'),
        `${seconds.toFixed(1)} s`,
        longest === null ? '–' : `${longest.ms.toFixed(longest.ms < 10 ? 1 : 0)} ms`,
        logged === null ? '–' : `${megabytes(logged)} MB`,
        `${[lookUps.p50, lookUps.p99, lookUps.max].map((ms) => ms.toFixed(1)).join(', ')} ms of ${count(lookUps.count)}`,
      ]),
    ),
  );

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [lineOf(head), lineOf(head.map(() => '---')), ...rows.map(lineOf)].join('\n');
}
