import type { Machine } from './machine.ts';
import { isMet, type Line, type RowResult } from './row.ts';

const head = [
  '#',
  'what',
  'moved',
  'ours',
  'against',
  'result',
  'goal',
  'met',
  'spread',
  'checked',
  'measured on',
  'machine',
];

/** Formats rows of cells as a Markdown table whose columns also line up in a terminal. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [lineOf(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(lineOf)].join('\n');
}

/** Returns the rows of cells that `tableOf` has formatted, without its head. */
export function parseTable(table: string): string[][] {
  const rows = table.split('\n').filter((line) => /^\| *\d/.test(line));
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** One row of cells for each line of a result. */
export function cellsOf({ number, lines, failed, measuredAt, machine }: RowResult): string[][] {
  const source = [measuredAt.slice(0, 10), machineText(machine)];
  const failure = failed === null ? [] : [[failed, '–', '–', '–', 'failed', '–', 'no', '–', '–']];
  return [...lines.map(figuresOf), ...failure].map((cells) => [String(number), ...cells, ...source]);
}

function figuresOf(line: Line): string[] {
  const met = isMet(line);
  return [
    line.what,
    line.moved,
    line.ours,
    line.against,
    amount(line),
    goalText(line),
    met === null ? '–' : met ? 'yes' : 'no',
    line.spread,
    line.checked,
  ];
}

function amount({ value, unit }: Line): string {
  if (value === null) return 'not measured';
  return unit === '×' ? `${value.toFixed(2)} ×` : `${value.toFixed(1)} ${unit}`;
}

function goalText({ goal, unit }: Line): string {
  if (goal === null) return '–';
  return 'atLeast' in goal ? `≥ ${goal.atLeast} ${unit}` : `≤ ${goal.atMost} ${unit}`;
}

const machineText = ({ processor, cores, memoryGB, system, node, openssl, curl }: Machine) =>
  `${processor}, ${cores} cores, ${memoryGB} GB, ${system}, Node ${node.slice(1)}, ${openssl}, ${curl}`;
