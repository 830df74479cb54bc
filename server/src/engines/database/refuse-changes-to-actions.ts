/** Triggers that make the audit log append-only: the database itself refuses any other change. */
import { PostgresAdapter, sql } from 'kysely';
import type { Database, Transaction } from './database.ts';

const refusal = 'operator_actions is only added to';

export async function refuseChangesToActions(tx: Transaction): Promise<void> {
  if (isPostgres(tx)) await onPostgres(tx);
  else for (const trigger of Object.values(sqliteTriggers)) await sql.raw(trigger).execute(tx);
}

/** Removes the triggers that are left, whatever became of them. */
export async function allowChangesToActions(tx: Transaction): Promise<void> {
  if (isPostgres(tx)) await sql`DROP FUNCTION IF EXISTS refuse_change_of_action() CASCADE`.execute(tx);
  else for (const name of Object.keys(sqliteTriggers)) await sql`DROP TRIGGER IF EXISTS ${sql.id(name)}`.execute(tx);
}

/** Returns whether all triggers are there as they were created. */
export async function areChangesToActionsRefused(db: Database): Promise<boolean> {
  return isPostgres(db) ? refusesOnPostgres(db) : refusesOnSqlite(db);
}

const isPostgres = (db: Database) => db.getExecutor().adapter instanceof PostgresAdapter;

const postgresBody = `BEGIN RAISE EXCEPTION '${refusal}'; END`;

async function onPostgres(tx: Transaction): Promise<void> {
  await sql`
    CREATE FUNCTION refuse_change_of_action() RETURNS trigger LANGUAGE plpgsql AS ${sql.lit(postgresBody)}`.execute(tx);
  // A statement-level trigger also refuses changes that match no row, and TRUNCATE.
  await sql`
    CREATE TRIGGER operator_actions_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_actions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_action()`.execute(tx);
}

async function refusesOnPostgres(db: Database): Promise<boolean> {
  const { rows } = await sql<{ body: string; definition: string }>`
    SELECT prosrc AS body, pg_get_triggerdef(pg_trigger.oid) AS definition
    FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE tgrelid = 'operator_actions'::regclass AND tgname = 'operator_actions_are_kept' AND tgenabled IN ('O', 'A')
  `.execute(db);
  return rows.some(
    ({ body, definition }) =>
      body === postgresBody && /BEFORE DELETE OR UPDATE OR TRUNCATE ON \S+ FOR EACH STATEMENT EXECUTE/.test(definition),
  );
}

const raise = `BEGIN SELECT RAISE(ABORT, '${refusal}'); END`;

const sqliteTriggers: Readonly<Record<string, string>> = {
  operator_actions_update: `CREATE TRIGGER operator_actions_update BEFORE UPDATE ON operator_actions ${raise}`,
  operator_actions_delete: `CREATE TRIGGER operator_actions_delete BEFORE DELETE ON operator_actions ${raise}`,
  // REPLACE deletes the existing row without firing the trigger above.
  operator_actions_replace:
    'CREATE TRIGGER operator_actions_replace BEFORE INSERT ON operator_actions ' +
    `WHEN EXISTS (SELECT 1 FROM operator_actions WHERE id = NEW.id) ${raise}`,
};

async function refusesOnSqlite(db: Database): Promise<boolean> {
  const { rows } = await sql<{ name: string; sql: string }>`
    SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'operator_actions'`.execute(db);
  const found = new Map(rows.map((row) => [row.name, row.sql]));
  return Object.entries(sqliteTriggers).every(([name, trigger]) => found.get(name) === trigger);
}
