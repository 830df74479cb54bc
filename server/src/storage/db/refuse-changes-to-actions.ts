/** The database itself refuses to change the audit log. */
import { sql } from 'kysely';
import { isPostgres, type Transaction } from './database.ts';

const refusal = 'operator_actions is only added to';
const raise = `BEGIN SELECT RAISE(ABORT, '${refusal}'); END`;

const sqliteTriggers: Readonly<Record<string, string>> = {
  operator_actions_update: `BEFORE UPDATE ON operator_actions ${raise}`,
  operator_actions_delete: `BEFORE DELETE ON operator_actions ${raise}`,
  // REPLACE deletes the existing row without firing the trigger above.
  operator_actions_replace: `BEFORE INSERT ON operator_actions
    WHEN EXISTS (SELECT 1 FROM operator_actions WHERE id = NEW.id) ${raise}`,
};

export async function refuseChangesToActions(tx: Transaction): Promise<void> {
  if (!isPostgres(tx)) {
    for (const [name, rest] of Object.entries(sqliteTriggers))
      await sql.raw(`CREATE TRIGGER ${name} ${rest}`).execute(tx);
    return;
  }
  await sql`
    CREATE FUNCTION refuse_change_of_action() RETURNS trigger LANGUAGE plpgsql
    AS ${sql.lit(`BEGIN RAISE EXCEPTION '${refusal}'; END`)}`.execute(tx);
  // It also refuses changes that match no row.
  await sql`
    CREATE TRIGGER operator_actions_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_actions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_action()`.execute(tx);
}

export async function allowChangesToActions(tx: Transaction): Promise<void> {
  if (isPostgres(tx)) await sql`DROP FUNCTION IF EXISTS refuse_change_of_action() CASCADE`.execute(tx);
  else for (const name of Object.keys(sqliteTriggers)) await sql`DROP TRIGGER IF EXISTS ${sql.id(name)}`.execute(tx);
}
