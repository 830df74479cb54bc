import { isMet, type Line, type RowResult } from './row.ts';

const head = ['#', 'what', 'ours', 'against', 'result', 'goal', 'met'];

/** Formats rows of cells as a Markdown table. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [lineOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(lineOf)].join('\n');
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

/** One row of cells for each line that has a goal. */
export function cellsOf({ number, lines, failed }: RowResult): string[][] {
  const failure = failed === null ? [] : [[failed, '–', '–', 'failed', '–', 'no']];
  return [...lines.filter(({ goal }) => goal !== null).map(figuresOf), ...failure].map((cells) => [
    String(number),
    ...cells,
  ]);
}

function figuresOf(line: Line): string[] {
  const met = isMet(line);
  return [line.what, line.ours, line.against, amount(line), goalText(line), met === null ? '–' : met ? 'yes' : 'no'];
}

function amount({ value, unit }: Line): string {
  if (value === null) return 'not measured';
  return unit === '×' ? `${value.toFixed(2)} ×` : `${value.toFixed(1)} ${unit}`;
}

function goalText({ goal, unit }: Line): string {
  if (goal === null) return '–';
  return 'atLeast' in goal ? `≥ ${goal.atLeast} ${unit}` : `≤ ${goal.atMost} ${unit}`;
}
