import { randomText } from './random-text.ts';

/** In byte order. */
const sortable = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** Begins with the time: inserts touch the right edge of every index. A time before 1970 counts as 1970. */
export function newRowId(nowMs: number): string {
  let head = '';
  for (let rest = Math.max(nowMs, 0); head.length < 8; rest = Math.floor(rest / 64))
    head = sortable.charAt(rest % 64) + head;
  return head + randomText(12, sortable);
}

let newestMs = 0;

/** Sorts after the one before, unless the clock was set back. */
export function nextRowId(nowMs: number): string {
  newestMs = nowMs > newestMs || nowMs < newestMs - 1_000 ? nowMs : newestMs + 1;
  return newRowId(newestMs);
}
