/**
 * The database port: Kysely over one portable SQL subset (see `migrations/`). An engine promises the following. A
 * transaction is atomic and, once committed, survives a power loss. Integers are returned as numbers. A statement that
 * changes a row is atomic, so a condition in its WHERE holds when the change is made. A transaction that the engine
 * aborts because of a conflict is run again, so its callback must be safe to repeat.
 */
import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;
export type Transaction = KyselyTransaction<Schema>;

/** Handling of the schema on opening: a server migrates it, a command only works with an up-to-date one. */
export type OpenSchema = 'migrate' | 'as it is';

/** The database is empty, older or newer than this program, or cannot be brought up to date. */
export class OtherSchema extends Error {
  override readonly name = 'OtherSchema';
}

/** SQLITE_FULL. */
const fullOnSqlite = 13;
/** disk_full. */
const fullOnPostgres = '53100';

/** Returns whether a statement or a commit failed because the disk is full; its transaction then leaves no trace. */
export function isDatabaseFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('errcode' in error && error.errcode === fullOnSqlite) || ('code' in error && error.code === fullOnPostgres);
}
