import type { Context } from '../context.ts';
import type { Schema } from '../storage/db/schema.ts';
import { newRowId } from '../lib/row-id.ts';
import { rowsById } from './rows-by-id.ts';

export interface Actor {
  readonly operator: string;
  /** The user who became `operator` with sudo. */
  readonly sudoUser?: string | null;
  readonly action: string;
}

interface Entry {
  readonly subject: string;
  readonly reference?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Inserts an entry into the audit log. `db` is the transaction of the action, if it has one. */
export async function recordAction(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { operator, sudoUser = null, action }: Actor,
  { subject, reference, details = {} }: Entry,
): Promise<void> {
  const at = clock.now();
  await db
    .insertInto('operator_actions')
    .values({
      id: newRowId(at),
      at,
      operator,
      sudo_user: sudoUser,
      action,
      subject,
      reference: reference ?? null,
      details: JSON.stringify(details),
    })
    .execute();
}

interface ActionSearch {
  readonly subject?: string | undefined;
  readonly reference?: string | undefined;
  readonly action?: string | undefined;
  readonly operator?: string | undefined;
}

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
