/** Numbers, sizes and times formatted for people; JSON contains the plain values. */
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import { unlimited, unlimitedMbps } from '@holdfast/contract/src/plans.ts';

// Not a formatter of its own: loading one takes longer than printing a few numbers, and most commands print none.
const grouped = (n: number): string => n.toLocaleString('en');
const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `1 file`, `12,000 files`. */
export const count = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`;

/** Units are powers of a thousand, as in the plans. */
export function size(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${Number((bytes / 1000 ** step).toPrecision(4))} ${units[step]}`;
}

/** Like `size`, for a limit. */
export const sizeLimit = (bytes: number): string => (bytes >= unlimited ? 'unlimited' : size(bytes));

/** `500`, `12,000` or `unlimited`. */
export const countLimit = (n: number): string => (n >= unlimited ? 'unlimited' : grouped(n));

export const speedLimit = (mbps: number): string => (mbps >= unlimitedMbps ? 'unlimited' : `${mbps} Mbps`);

/** In UTC, to the minute. */
export const time = (ms: number): string =>
  ms === 0 ? 'never' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** For JSON: null if it never happened. */
export const timeOrNull = (ms: number | null | undefined): string | null => (ms ? timeText(ms) : null);

/** Formats names and values, one pair a line. */
export function sheet(rows: readonly (readonly [name: string, value: string])[]): string {
  const widest = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(widest)}  ${value}`).join('\n');
}

/**
 * Formats the cells of a list row. Rows are printed one by one, so the widths are fixed; a longer cell shifts the rest.
 */
export const cells = (...pairs: readonly (readonly [text: string, width: number])[]): string =>
  pairs
    .map(([text, width]) => text.padEnd(width))
    .join('  ')
    .trimEnd();

/** Replaces control characters, because text from users may contain sequences that move a terminal's cursor. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '\u{FFFD}');
