import { storedName } from '@holdfast/contract/src/files.ts';
import type { Context } from '../context.ts';

/**
 * Returns the ids of the account's files by their names. Outside of a transaction, so that foreign names keep no other
 * write waiting.
 */
export async function findFiles(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // A database cannot compare every string with a name.
  const possible = [...new Set(names)].filter((name) => storedName.safeParse(name).success);
  if (possible.length === 0) return new Map();
  // With the account as a condition, SQLite would walk all of its files instead of looking up each name.
  const found = await db
    .selectFrom('files')
    .select(['id', 'name', 'account_id'])
    .where('name', 'in', possible)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(found.filter(({ account_id }) => account_id === accountId).map(({ id, name }) => [name, id]));
}
