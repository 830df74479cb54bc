import type { Context } from '../context.ts';
import type { Schema } from '../storage/db/schema.ts';
import { rowsById } from './rows-by-id.ts';

type ActionSearch = {
  readonly [Column in 'subject' | 'reference' | 'action' | 'operator']?: string | undefined;
};

export function listActions(
  { db }: Pick<Context, 'db'>,
  { operator, ...search }: ActionSearch,
): AsyncGenerator<Schema['operator_actions']> {
  let query = db.selectFrom('operator_actions').selectAll().orderBy('id', 'desc').limit(500);
  for (const [column, value] of Object.entries(search) as [keyof typeof search, string | undefined][])
    if (value !== undefined) query = query.where(column, '=', value);
  if (operator !== undefined)
    query = query.where((eb) => eb.or([eb('operator', '=', operator), eb('sudo_user', '=', operator)]));
  return rowsById((before) => (before === '' ? query : query.where('id', '<', before)).execute());
}
