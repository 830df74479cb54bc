import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './children.ts';
import type { RowResult } from './row.ts';
import { pictureOf } from './picture.ts';
import { cellsOf, parseTable, tableOf } from './table.ts';

const samples = join(root, 'labs/bench/results.json');
const readme = join(root, 'labs/bench/README.md');
const picture = join(root, 'docs/images/speed.svg');
const [opening, closing] = ['<!-- table -->', '<!-- end of table -->'];

/**
 * Replaces the measured rows in `labs/bench/results.json` and in the table of the README, keeps the others, and draws the
 * picture. The table also keeps the former figures of a row that failed.
 */
export async function keepResults(results: readonly RowResult[]): Promise<void> {
  const former = existsSync(samples) ? (JSON.parse(await readFile(samples, 'utf8')) as Samples).rows : [];
  const rows = replaced(former, results, ({ number }) => number);
  await writeFile(samples, `${JSON.stringify({ rows } satisfies Samples, null, 2)}\n`);
  const drawn = pictureOf(rows);
  if (drawn !== null) await writeFile(picture, drawn);
  await replaceTable(results.filter(({ failed }) => failed === null).flatMap(cellsOf));
}

interface Samples {
  readonly rows: readonly RowResult[];
}

async function replaceTable(measured: readonly string[][]): Promise<void> {
  const text = await readFile(readme, 'utf8');
  const [start, end] = [text.indexOf(opening) + opening.length, text.indexOf(closing)];
  if (start < opening.length || end < start) throw new Error('labs/bench/README.md has no place for the table');
  const rows = replaced(parseTable(text.slice(start, end)), measured, ([number]) => Number(number));
  await writeFile(readme, `${text.slice(0, start)}\n${tableOf(rows)}\n${text.slice(end)}`);
}

/** Returns the former items with the numbers that were measured replaced, in the order of the numbers. */
function replaced<T>(former: readonly T[], measured: readonly T[], numberOf: (item: T) => number): T[] {
  const numbers = new Set(measured.map(numberOf));
  const others = former.filter((item) => !numbers.has(numberOf(item)));
  return [...others, ...measured].toSorted((a, b) => numberOf(a) - numberOf(b));
}
