import { isMet, type Line, type RowResult } from './row.ts';

const head = ['#', 'what', 'moved', 'ours', 'against', 'result', 'goal', 'met', 'spread', 'checked'];

/** Formats the results as a Markdown table whose columns also line up in a terminal. */
export function tableOf(results: readonly RowResult[]): string {
  const rows = results.flatMap(({ number, lines, failed }) => [
    ...lines.map((line) => cellsOf(number, line)),
    ...(failed === null ? [] : [[String(number), failed, '–', '–', '–', 'failed', '–', 'no', '–', '–']]),
  ]);
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [lineOf(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(lineOf)].join('\n');
}

function cellsOf(number: number, line: Line): string[] {
  const met = isMet(line);
  return [
    String(number),
    line.what,
    line.moved,
    line.ours,
    line.against,
    amount(line.value, line.unit),
    goalText(line),
    met === null ? '–' : met ? 'yes' : 'no',
    line.spread,
    line.checked,
  ];
}

function amount(value: number, unit: Line['unit']): string {
  return unit === '×' ? `${value.toFixed(2)} ×` : `${value.toFixed(1)} ${unit}`;
}

function goalText({ goal, unit }: Line): string {
  if (goal === null) return '–';
  return 'atLeast' in goal ? `≥ ${goal.atLeast} ${unit}` : `≤ ${goal.atMost} ${unit}`;
}
