/** How people read numbers, sizes and times; JSON has them plain. */
const grouped = new Intl.NumberFormat('en');
const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `1 file`, `12,000 files`. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${grouped.format(n)} ${n === 1 ? one : many}`;

/** In steps of a thousand, as the plans. */
export function size(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${Number((bytes / 1000 ** step).toPrecision(4))} ${units[step]}`;
}

/** In UTC, to the minute. */
export const time = (ms: number): string =>
  ms === 0 ? 'never' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Names and values, one a line. */
export function sheet(rows: readonly (readonly [name: string, value: string])[]): string {
  const widest = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(widest)}  ${value}`).join('\n');
}

/** Cells of a list that is printed row by row, so the widths are fixed; a longer one pushes the rest on. */
export const cells = (...pairs: readonly (readonly [text: string, width: number])[]): string =>
  pairs
    .map(([text, width]) => text.padEnd(width))
    .join('  ')
    .trimEnd();

/** What comes from people may hold what moves a terminal's cursor. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '\u{FFFD}');
