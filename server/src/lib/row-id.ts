import { randomText } from './random-text.ts';

/** In byte order, so that ids sort by their time prefix. */
const sortable = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** 8 characters of time, then 12 random ones, so that inserts touch the right edge of every index. */
export function newRowId(nowMs: number): string {
  let head = '';
  for (let rest = nowMs, i = 0; i < 8; i += 1, rest = Math.floor(rest / 64)) head = sortable.charAt(rest % 64) + head;
  return head + randomText(12, sortable);
}

let newestMs = 0;

/** Later than the one before, also within one millisecond, unless the clock was set back. */
export function nextRowId(nowMs: number): string {
  newestMs = nowMs > newestMs || nowMs < newestMs - 1_000 ? nowMs : newestMs + 1;
  return newRowId(newestMs);
}

export function timeOfRowId(id: string): number {
  let time = 0;
  for (const character of id.slice(0, 8)) time = time * 64 + sortable.indexOf(character);
  return time;
}
