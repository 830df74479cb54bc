import type { Inspection } from './inspection.ts';
import { pageSize } from './inspection.ts';
import { pages } from './pages.ts';

/**
 * No name has ever been given twice, deleted files included. The database sees to it while its index is whole, so this
 * looks at the rows in the order of their ids and asks for each name how many rows have it.
 */
export async function checkNames(inspection: Inspection): Promise<void> {
  const { context, signal, suspect } = inspection;
  const read = (after: string) =>
    context.db
      .selectFrom('files')
      .select(['id', 'name'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
  for await (const page of pages(signal, ({ id }: { readonly id: string }) => id, read)) {
    const names = page.map(({ name }) => name);
    for (const { name, files, first } of await namedTwice(inspection, names))
      // Told once, where its first row is.
      if (page.some(({ id }) => id === first))
        await suspect({
          kind: 'name-twice',
          subject: name,
          says: `${files} files have the name ${name}. Rebuild the indexes of the table files.`,
          again: async () => (await namedTwice(inspection, [name])).length > 0,
        });
  }
}

function namedTwice({ context: { db } }: Inspection, names: readonly string[]) {
  return db
    .selectFrom('files')
    .select((eb) => ['name', eb.fn.countAll<number>().as('files'), eb.fn.min('id').as('first')])
    .where('name', 'in', [...new Set(names)])
    .groupBy('name')
    .having((eb) => eb(eb.fn.countAll(), '>', 1))
    .execute();
}
