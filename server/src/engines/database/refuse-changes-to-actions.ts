import { PostgresAdapter, sql } from 'kysely';
import type { Transaction } from './database.ts';

/** Makes the audit log append-only: the database itself refuses any other change. */
export async function refuseChangesToActions(tx: Transaction): Promise<void> {
  if (tx.getExecutor().adapter instanceof PostgresAdapter) await onPostgres(tx);
  else await onSqlite(tx);
}

const refusal = 'operator_actions is only added to';

async function onPostgres(tx: Transaction): Promise<void> {
  await sql`
    CREATE FUNCTION refuse_change_of_action() RETURNS trigger LANGUAGE plpgsql AS
    ${sql.lit(`BEGIN RAISE EXCEPTION '${refusal}'; END`)}`.execute(tx);
  // A statement-level trigger also refuses changes that match no row, and TRUNCATE.
  await sql`
    CREATE TRIGGER operator_actions_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_actions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_action()`.execute(tx);
}

async function onSqlite(tx: Transaction): Promise<void> {
  for (const change of ['update', 'delete'])
    await sql`
      CREATE TRIGGER ${sql.id(`operator_actions_${change}`)} BEFORE ${sql.raw(change)} ON operator_actions
      BEGIN SELECT RAISE(ABORT, ${sql.lit(refusal)}); END`.execute(tx);
  // REPLACE deletes the existing row without firing the trigger above.
  await sql`
    CREATE TRIGGER operator_actions_replace BEFORE INSERT ON operator_actions
    WHEN EXISTS (SELECT 1 FROM operator_actions WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, ${sql.lit(refusal)}); END`.execute(tx);
}
