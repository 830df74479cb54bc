import type { SelectQueryBuilder } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Schema } from './schema.ts';

export const batchSize = 500;

export async function inBatches(signal: AbortSignal, batch: () => Promise<number>): Promise<number> {
  for (let all = 0; ;) {
    signal.throwIfAborted();
    const done = await batch();
    if (done === 0) return all;
    all += done;
    await nextTurn();
  }
}

/** `read` receives the last row of the page before. */
export async function* inPages<Row>(
  signal: AbortSignal,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | undefined; ;) {
    signal.throwIfAborted();
    const page = await read(last);
    if (page.length === 0) return;
    last = page.at(-1);
    yield page;
    await nextTurn();
  }
}

/** Yields rows in the order of their ids. `read` returns the page after an id; '' asks for the first one. */
export async function* rowsById<Row extends { readonly id: string }>(
  read: (after: Row['id']) => Promise<readonly Row[]>,
  after: Row['id'] = '',
): AsyncGenerator<Row> {
  for (let last: Row['id'] | undefined = after; last !== undefined;) {
    const page: readonly Row[] = await read(last);
    yield* page;
    last = page.at(-1)?.id;
  }
}

export async function countRows<Table extends keyof Schema>(
  rows: SelectQueryBuilder<Schema, Table, object>,
): Promise<number> {
  const counted = await rows.select((eb) => eb.fn.countAll<number>().as('rows')).executeTakeFirstOrThrow();
  return counted.rows;
}
