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
