/**
 * `npm run bench`: measures the rows of the table one after the other, prints them and keeps them. `--only 3,5` runs
 * some rows. `--quick` runs less of each and keeps nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from './harness/machine.ts';
import { keepResults } from './harness/results.ts';
import type { Line, Row, RowResult } from './harness/row.ts';
import { cellsOf, tableOf } from './harness/table.ts';
import { oneUpload } from './rows/01-one-upload.ts';
import { parallelUploads } from './rows/02-parallel-uploads.ts';
import { parallelDownloads } from './rows/03-parallel-downloads.ts';
import { downloadsThroughNginx } from './rows/04-downloads-through-nginx.ts';
import { smallDownloads } from './rows/05-small-downloads.ts';
import { memoryOfHugeFiles } from './rows/06-memory.ts';
import { aThousandDownloads } from './rows/07-a-thousand-downloads.ts';
import { oneClient } from './rows/08-one-client.ts';
import { fileList } from './rows/09-file-list.ts';
import { publicNames } from './rows/10-public-names.ts';
import { manyFilesAtOnce } from './rows/11-many-files-at-once.ts';
import { startToAnswer } from './rows/12-start-to-answer.ts';
import { javascript } from './rows/13-javascript.ts';
import { inputDelay } from './rows/15-input-delay.ts';
import { smallUploads } from './rows/16-small-uploads.ts';
import { slowDisk } from './rows/17-slow-disk.ts';
import { downloadsDuringUploads } from './rows/18-downloads-during-uploads.ts';
import { oneKey } from './rows/19-one-key.ts';
import { twoWorkers } from './rows/20-two-workers.ts';
import { uploadsToS3 } from './rows/21-uploads-to-s3.ts';
import { downloadsFromS3 } from './rows/22-downloads-from-s3.ts';
import { oneBatch } from './rows/23-one-batch.ts';
import { uploadInPieces } from './rows/24-upload-in-pieces.ts';

const rows: readonly Row[] = [
  oneUpload,
  parallelUploads,
  parallelDownloads,
  downloadsThroughNginx,
  smallDownloads,
  memoryOfHugeFiles,
  aThousandDownloads,
  oneClient,
  fileList,
  publicNames,
  manyFilesAtOnce,
  startToAnswer,
  javascript,
  inputDelay,
  smallUploads,
  slowDisk,
  downloadsDuringUploads,
  oneKey,
  twoWorkers,
  uploadsToS3,
  downloadsFromS3,
  oneBatch,
  uploadInPieces,
];

const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } } });
const chosen = chooseRows(values.only);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const machine = await describeMachine();
const results: RowResult[] = [];
for (const row of chosen) results.push(await runRow(row));
console.log(`\n${tableOf(results.flatMap(cellsOf))}\n`);
if (!values.quick) await keepResults(results);
process.exitCode = results.some(({ failed }) => failed !== null) ? 1 : 0;

function chooseRows(only: string | undefined): readonly Row[] {
  if (only === undefined) return rows;
  const numbers = new Set(only.split(',').map(Number));
  const found = rows.filter(({ number }) => numbers.has(number));
  if (found.length === numbers.size) return found;
  console.error(
    `--only is '${only}', but it must be a list of these rows: ${rows.map(({ number }) => number).join(', ')}.`,
  );
  process.exit(1);
}

async function runRow(row: Row): Promise<RowResult> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const clear = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clear);
  const start = performance.now();
  const resultOf = (lines: readonly Line[], failed: string | null): RowResult => ({
    number: row.number,
    measuredAt: new Date().toISOString(),
    machine,
    lines,
    failed,
  });
  try {
    return resultOf(await row.run({ quick: values.quick, folder }), null);
  } catch (error) {
    console.error(error);
    const reason = error instanceof Error ? error.message : String(error);
    return resultOf([], `${row.title}: ${reason.split('\n')[0]}`);
  } finally {
    process.off('exit', clear);
    clear();
    console.log(`${row.number}  ${row.title} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
  }
}
