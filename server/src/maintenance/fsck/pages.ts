import { setImmediate as nextTurn } from 'node:timers/promises';
import { pageSize } from './inspection.ts';

/** Reads rows in the order of a unique key, a page at a time, each beginning after the last key of the one before. */
export async function* pages<Row>(
  signal: AbortSignal,
  keyOf: (row: Row) => string,
  read: (after: string) => Promise<readonly Row[]>,
  size = pageSize,
): AsyncGenerator<readonly Row[]> {
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const page = await read(after);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    after = keyOf(last);
    await nextTurn();
  }
}
