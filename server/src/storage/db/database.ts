/** Kysely over one portable SQL subset. A committed transaction survives a power loss; one that conflicts runs again. */
import { type Kysely, PostgresAdapter, type Transaction as KyselyTransaction } from 'kysely';
import type { Schema } from './schema.ts';
import { OperatorError } from '../../lib/operator-error.ts';

export type Database = Kysely<Schema>;
export type Transaction = KyselyTransaction<Schema>;

export type OpenSchema = 'migrate' | 'as it is';

export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

interface Extras {
  readonly connections: () => ConnectionCounts;
  /** Its statements may take long. */
  readonly forJobs?: Database;
}

/** SQLite has none. */
const extras = new WeakMap<Database, Extras>();

export const noteExtras = (db: Database, own: Extras): void => void extras.set(db, own);
export const forJobs = (db: Database): Database => extras.get(db)?.forJobs ?? db;
export const readConnections = (db: Database): ConnectionCounts | null => extras.get(db)?.connections() ?? null;

/** The database is empty, older or newer than this program, or cannot be brought up to date. */
export class OtherSchema extends OperatorError {
  override readonly name = 'OtherSchema';
}

/** A server that starts migrates it. */
export class OlderSchema extends OtherSchema {}

export class EmptyDatabase extends OlderSchema {}

/** There is no trace of what rejects with it, unless it is a `CommitUnknown`. */
export class DatabaseUnavailable extends OperatorError {
  override readonly name: string = 'DatabaseUnavailable';

  constructor(cause: unknown, message = `The database is not available: ${reasonOf(cause)}`) {
    super(message, { cause });
  }
}

/** The transaction may have been committed. */
export class CommitUnknown extends DatabaseUnavailable {
  override readonly name = 'CommitUnknown';
}

export const readOnlyRefusal = 'holdfast: this database is being moved';

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

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE for the index of its log. */
const sqliteFull: ReadonlySet<unknown> = new Set([13, 4874]);

export const isDatabaseFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('errcode' in error && sqliteFull.has(error.errcode)) || ('code' in error && error.code === '53100'));
