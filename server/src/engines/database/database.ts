/**
 * The database port: Kysely over one portable SQL subset (see `migrations/`). What an engine promises:
 * a transaction is atomic and, once committed, survives the loss of power; integers come back as numbers;
 * a statement that changes a row decides alone, so a condition in its WHERE holds when the change is made; a transaction
 * that the engine ends because it met another one is run again, so its callback has to bear that.
 */
import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;
export type Transaction = KyselyTransaction<Schema>;

/** What happens to the schema on opening: a server brings it up to date, a command only works where it is. */
export type OpenSchema = 'migrate' | 'as it is';

/** The database is older or newer than this program, or nobody's, or cannot be brought up to date. */
export class OtherSchema extends Error {
  override readonly name = 'OtherSchema';
}

/** SQLITE_FULL. */
const fullOnSqlite = 13;
/** disk_full. */
const fullOnPostgres = '53100';

/** Whether a statement or a commit failed because there is no room left: then nothing of its transaction is kept. */
export function isDatabaseFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('errcode' in error && error.errcode === fullOnSqlite) || ('code' in error && error.code === fullOnPostgres);
}
