import { setImmediate as nextTurn } from 'node:timers/promises';
import { pageSize } from './inspection.ts';

/** Reads rows in the order of a unique key, a page at a time; each page begins after the last key of the one before. */
export async function* pagesById<Row, Key extends string>(
  signal: AbortSignal,
  keyOf: (row: Row) => Key,
  read: (after: Key) => Promise<readonly Row[]>,
  size = pageSize,
): AsyncGenerator<readonly Row[]> {
  // The empty text sorts before every key.
  for (let after = '' as Key; ;) {
    signal.throwIfAborted();
    const page = await read(after);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    after = keyOf(last);
    await nextTurn();
  }
}
