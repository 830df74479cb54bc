import type { Context } from '../context.ts';
import type { Schema } from '../storage/db/schema.ts';

export interface ListedAction extends Omit<Schema['operator_actions'], 'details'> {
  readonly details: Readonly<Record<string, unknown>>;
}

export interface ActionSearch {
  readonly subject?: string | undefined;
  /** Reference of a case. */
  readonly reference?: string | undefined;
  readonly action?: string | undefined;
  /** The user, or the one who called sudo. */
  readonly operator?: string | undefined;
}

/** Yields the audit log, newest first, read page by page. */
export async function* listActions(
  { db }: Pick<Context, 'db'>,
  { operator, ...search }: ActionSearch,
  pageSize = 500,
): AsyncGenerator<ListedAction> {
  const wanted = Object.entries(search).filter(([, value]) => value !== undefined) as [keyof typeof search, string][];
  for (let before: string | null = null; ;) {
    let query = db.selectFrom('operator_actions').selectAll();
    for (const [column, value] of wanted) query = query.where(column, '=', value);
    if (operator !== undefined)
      query = query.where((eb) => eb.or([eb('operator', '=', operator), eb('sudo_user', '=', operator)]));
    if (before !== null) query = query.where('id', '<', before);
    const page = await query.orderBy('id', 'desc').limit(pageSize).execute();
    for (const row of page) yield { ...row, details: JSON.parse(row.details) as ListedAction['details'] };
    const end = page.at(-1);
    if (!end || page.length < pageSize) return;
    before = end.id;
  }
}
