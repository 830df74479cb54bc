import { Kysely, type RawBuilder, sql } from 'kysely';
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { seconds } from '../../lib/clock.ts';
import type { Database } from '../database/database.ts';
import { keepOutOfLog } from '../database/keep-out-of-log.ts';
import { databaseTime } from '../database/postgres-clock.ts';
import type { Schema } from '../database/schema.ts';
import { createSqliteDialect } from '../database/sqlite-dialect.ts';
import { startSqliteThread } from '../database/sqlite-thread.ts';

/** The tables of migration 0029, and on SQLite also `counters`. */
export interface LiveTables extends AsyncDisposable {
  readonly db: Database;
  /** The time in milliseconds by a clock that all processes share, as an expression of SQL. */
  readonly now: () => RawBuilder<number>;
}

export async function openPostgresTables(db: Database): Promise<LiveTables> {
  await keepOutOfLog(db, ['live_processes', 'live_notes', 'live_slots']);
  return readPostgresTables(db);
}

/** For a command, which only reads them. */
export const readPostgresTables = (db: Database): LiveTables => ({
  db,
  now: () => databaseTime,
  async [Symbol.asyncDispose]() {},
});

/** Returns the path of the file beside a SQLite database. */
export const liveFileOf = (database: string): string => `${database}-live`;

/**
 * A file of its own: its commits are not synced, and do not wait for those of the database. All processes of a SQLite
 * database are on one machine, so they share the clock that counts from its start, and nobody can set that.
 */
export async function openSqliteTables(path: string, log: Pick<Logger, 'error'>): Promise<LiveTables> {
  const start = () => startSqliteThread({ path, pragmas, busyMs: seconds(1), log });
  let thread = start();
  const current = () => (thread.hasEnded() ? (thread = start()) : thread);
  const readers = {
    use: <T>(_: unknown, work: (one: typeof thread) => Promise<T>) => work(current()),
    async close() {},
  };
  const db = new Kysely<Schema>({
    dialect: createSqliteDialect({ writer: current, readers, close: () => thread.close() }),
  });
  await current().ask({ kind: 'script', sql: tables, parameters: [] });
  return { db, now: () => sql<number>`${machineTime()}`, [Symbol.asyncDispose]: () => db.destroy() };
}

const pragmas = ['journal_mode = WAL', 'synchronous = OFF', 'temp_store = MEMORY', 'cache_size = -512'];

const migration = new URL('../database/migrations/0029-live-processes.sql', import.meta.url);
const tables = `${readFileSync(migration, 'utf8')}
CREATE TABLE IF NOT EXISTS counters (key text PRIMARY KEY, full_at bigint NOT NULL, counted_at bigint NOT NULL);
`;

const machineTime = (): number => Math.round(Number(process.hrtime.bigint()) / 1e6);
