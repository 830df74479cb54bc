import type { Line, RowResult } from './row.ts';

const head = ['#', 'what', 'ours, and beside it', 'result and goal'];

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

/** Of the lines with the same goal, the one that is furthest from it. A missed goal is bold. */
export function cellsOf({ number, lines, failed }: RowResult): string[][] {
  const worst = Object.values(
    Object.groupBy(
      lines.filter(({ goal }) => goal !== null),
      goalText,
    ),
  ).map((same = []) => same.reduce((one, other) => (shareOf(other) < shareOf(one) ? other : one)));
  const failure = failed === null ? [] : [[failed, '–', '**failed**']];
  return [...worst.map(figuresOf), ...failure].map((cells) => [String(number), ...cells]);
}

/** 1 or more if the goal is met. */
function shareOf({ value, goal }: Line): number {
  if (value === null || goal === null) return 0;
  return 'atLeast' in goal ? value / goal.atLeast : goal.atMost / value;
}

function figuresOf(line: Line): string[] {
  const result = shareOf(line) < 1 ? `**${amount(line)}**` : amount(line);
  const figures = line.against === '–' ? line.ours : `${line.ours}; ${line.against}`;
  return [line.what, figures, `${result} (${goalText(line)})`];
}

function amount({ value, unit }: Line): string {
  if (value === null) return 'not measured';
  return unit === '×' ? `${value.toFixed(2)} ×` : `${value.toFixed(1)} ${unit}`;
}

function goalText({ goal, unit }: Line): string {
  if (goal === null) return '–';
  return 'atLeast' in goal ? `≥ ${goal.atLeast} ${unit}` : `≤ ${goal.atMost} ${unit}`;
}
