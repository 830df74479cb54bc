import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { type Database, EmptyDatabase, type OpenSchema } from './database.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { withTransactions } from './transactions.ts';
import { createSqliteDialect, type SqliteThreads } from './sqlite-dialect.ts';
import { createSqliteReaders } from './sqlite-readers.ts';
import { startSqliteThread } from './sqlite-thread.ts';
import type { Schema } from './schema.ts';

export interface SqliteOptions {
  /** Is told when a thread dies. */
  readonly log?: Pick<Logger, 'error' | 'warn'>;
  /** Milliseconds that a statement waits for the lock of another process. */
  readonly busyMs?: number;
}

/**
 * Opens the file at `path`. Unless it is opened as it is, creates it if missing and brings it up to date. All reads and
 * writes run in threads, so that no query and no sync stops the event loop.
 */
export async function openSqlite(
  path: string,
  schema: OpenSchema = 'migrate',
  options: SqliteOptions = {},
): Promise<Database> {
  if (schema === 'as it is' && !existsSync(path))
    throw new EmptyDatabase(`There is no database at ${path} yet. Run 'holdfast migrate', or start the server once.`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const threads = startThreads(path, options);
  const runScript = async (script: string) =>
    void (await threads.writer().ask({ kind: 'script', sql: script, parameters: [] }));
  const db = withTransactions(new Kysely<Schema>({ dialect: createSqliteDialect(threads) }), options.log);
  try {
    // The writer opens the file before anything is read from it.
    await runScript('');
    if (schema === 'migrate') {
      // A migration may sort a table of any size, which must not be held in memory.
      await runScript('PRAGMA temp_store = FILE');
      await migrate(db, { runScript: (_tx, script) => runScript(script) });
      await runScript(`PRAGMA ${temporary}`);
    } else await requireMigrated(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/** In KiB for each thread, negative as SQLite wants it. */
const cache = 'cache_size = -16384';
/**
 * The pages that a savepoint or a statement could undo are more than 64 KB for each upload. SQLite would write them to a
 * new file every time.
 */
const temporary = 'temp_store = MEMORY';
/** In pages. A checkpoint syncs twice, and writes a page once that many commits have changed: 4,000 are 16 MB. */
const checkpoint = 'wal_autocheckpoint = 4000';
// FULL also syncs the log at every commit: an acknowledged upload survives a power loss.
const durable = ['journal_mode = WAL', 'synchronous = FULL'];
const pragmasOfWriter = [...durable, checkpoint, 'foreign_keys = ON', temporary, cache];
const pragmasOfReader = ['query_only = ON', cache];

/** Exported for a test. */
export const mostReaders = Math.min(4, Math.max(3, availableParallelism()));

function startThreads(path: string, { log, busyMs = 5_000 }: SqliteOptions): SqliteThreads {
  const start = (pragmas: readonly string[]) => startSqliteThread({ path, pragmas, busyMs, log });
  let writer = start(pragmasOfWriter);
  const readers = createSqliteReaders(mostReaders, () => start(pragmasOfReader));
  return {
    writer: () => (writer.hasEnded() ? (writer = start(pragmasOfWriter)) : writer),
    readers,
    // The last connection to close empties the log into the file.
    async close() {
      await readers.close();
      await writer.close();
    },
  };
}
