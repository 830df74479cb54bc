/**
 * The database port: Kysely over one portable SQL subset. A committed transaction survives a power loss, integers are
 * numbers, and a condition in a WHERE holds when its change is made. A transaction that conflicts runs again, so its
 * callback must be safe to repeat.
 */
import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;
export type Transaction = KyselyTransaction<Schema>;

export type OpenSchema = 'migrate' | 'as it is';

const patient = new WeakMap<Database, Database>();

/** The database for jobs, whose statements may take longer than those of calls. */
export const forJobs = (db: Database): Database => patient.get(db) ?? db;

/** `other` is for the jobs on `db`, and closed with it. */
export function withPatient(db: Database, other: Database): Database {
  patient.set(db, other);
  const destroy = db.destroy.bind(db);
  return Object.assign(db, {
    async destroy() {
      await other.destroy();
      await destroy();
    },
  });
}

/** The connections that calls of one process use or wait for. */
export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

const counts = new WeakMap<Database, () => ConnectionCounts>();

export const noteConnections = (db: Database, read: () => ConnectionCounts): void => void counts.set(db, read);

/** Returns null if the engine has no connections, like SQLite. */
export const readConnections = (db: Database): ConnectionCounts | null => counts.get(db)?.() ?? null;

/** The database is empty, older or newer than this program, or cannot be brought up to date. */
export class OtherSchema extends Error {
  override readonly name = 'OtherSchema';
}

/** There is no database yet, or it has no tables of this program. */
export class EmptyDatabase extends OtherSchema {}

/** Repeating the work later may succeed. A commit that rejects with it may have been made; otherwise there is no trace. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(cause: unknown, message = `The database is not available: ${reasonOf(cause)}`) {
    super(message, { cause });
  }
}

/** The message of the triggers in `read-only.ts`. */
export const readOnlyRefusal = 'holdfast: this database is being moved';

/** The database is being moved, or was, and can only be read. The transaction has left no trace. */
export class DatabaseReadOnly extends DatabaseUnavailable {
  constructor(cause?: unknown) {
    super(cause, 'This service is being moved to another place, or was, so nothing can be changed here.');
  }
}

/** The error of a host with several addresses has a code, but no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** SQLITE_FULL. */
const fullOnSqlite = 13;
/** disk_full. */
const fullOnPostgres = '53100';

export function isDatabaseFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('errcode' in error && error.errcode === fullOnSqlite) || ('code' in error && error.code === fullOnPostgres);
}
