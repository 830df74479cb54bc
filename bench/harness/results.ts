import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './children.ts';
import type { Machine } from './machine.ts';
import type { RowResult } from './row.ts';
import { tableOf } from './table.ts';

export interface Results {
  readonly machine: Machine;
  readonly quick: boolean;
  readonly isComplete: boolean;
  readonly rows: readonly RowResult[];
}

const readme = join(root, 'bench/README.md');
const [opening, closing] = ['<!-- table -->', '<!-- end of table -->'];

/** Every run writes `bench/results.json`; only a full run without failures changes the table in the README. */
export async function keepResults(results: Results): Promise<void> {
  const measuredAt = new Date().toISOString();
  await writeFile(join(root, 'bench/results.json'), `${JSON.stringify({ measuredAt, ...results }, null, 2)}\n`);
  const isWhole = results.isComplete && !results.quick && results.rows.every(({ failed }) => failed === null);
  if (isWhole) await replaceTable(`${source(results.machine, measuredAt)}\n\n${tableOf(results.rows)}`);
}

async function replaceTable(table: string): Promise<void> {
  const text = await readFile(readme, 'utf8');
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
  if (start === -1 || end < start) throw new Error('bench/README.md has no place for the table');
  await writeFile(readme, `${text.slice(0, start + opening.length)}\n${table}\n${text.slice(end)}`);
}

const source = ({ processor, cores, memoryGB, system, node, openssl, curl }: Machine, measuredAt: string) =>
  `Measured ${measuredAt.slice(0, 10)} on ${processor}, ${cores} cores, ${memoryGB} GB, ${system}, ` +
  `Node ${node.slice(1)}, ${openssl}, ${curl}.`;
