import { randomText } from './random-text.ts';

/** In byte order, so that ids sort by their time prefix. */
const sortable = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/**
 * A new primary key: 8 characters of time in milliseconds, then 12 random ones. Later keys sort later, so inserts touch
 * the right edge of every index instead of a random page.
 */
export function newRowId(nowMs: number): string {
  let head = '';
  for (let rest = nowMs, i = 0; i < 8; i += 1, rest = Math.floor(rest / 64)) head = sortable.charAt(rest % 64) + head;
  return head + randomText(12, sortable);
}

let newestMs = 0;

/**
 * A new key that is later than the one before, also within one millisecond. It starts again from the clock when it is more
 * than a second ahead of it, such as after the clock was set back.
 */
export function nextRowId(nowMs: number): string {
  newestMs = nowMs > newestMs || nowMs < newestMs - 1_000 ? nowMs : newestMs + 1;
  return newRowId(newestMs);
}

/** Returns the milliseconds at the start of a key. */
export function timeOfRowId(id: string): number {
  let time = 0;
  for (const character of id.slice(0, 8)) time = time * 64 + sortable.indexOf(character);
  return time;
}
