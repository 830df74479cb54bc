import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { type Database, EmptyDatabase, type OpenSchema } from './database.ts';
import { migrate, requireMigrated } from './migrate.ts';
import type { Schema } from './schema.ts';
import { openConnection } from './sqlite-connection.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { createReaders } from './sqlite-readers.ts';
import { type Durability, openWriter } from './sqlite-writer.ts';
import { withTransactions } from './transactions.ts';

export interface SqliteOptions {
  readonly log?: Pick<Logger, 'error' | 'warn'>;
  /** Milliseconds that a statement waits for the lock of another process. */
  readonly busyMs?: number;
  /** Syncs the log; a test may let it fail. */
  readonly sync?: Durability['sync'];
}

/** In KiB for each connection, negative as SQLite wants it. */
const cache = 'cache_size = -16384';
const pragmasOfReader = ['query_only = ON', cache];
// The writer syncs the log itself, and threads checkpoint it. What a statement could undo would be written to a new file
// every time.
const pragmasOfWriter = [
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'wal_autocheckpoint = 0',
  'foreign_keys = ON',
  'temp_store = MEMORY',
  cache,
];

/** Opens the file at `path`. Unless it is opened as it is, creates it if missing and brings it up to date. */
export async function openSqlite(
  path: string,
  schema: OpenSchema = 'migrate',
  { log, busyMs = 5_000, sync }: SqliteOptions = {},
): Promise<Database> {
  if (schema === 'as it is' && !existsSync(path))
    throw new EmptyDatabase(`There is no database at ${path} yet. Run 'holdfast migrate', or start the server once.`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const readers = createReaders({ path, pragmas: pragmasOfReader, busyMs, log });
  const checkpoint = () =>
    readers.use('transaction', async (thread) => {
      await thread.run({ sql: 'PRAGMA wal_checkpoint(PASSIVE)', parameters: [] });
    });
  let reader: ReturnType<typeof openConnection> | null = null;
  const closeReaders = async () => {
    reader?.close();
    reader = null;
    await readers.close();
  };
  const durability = { checkpoint, closeOthers: closeReaders, ...(sync && { sync }) };
  const writer = await openWriter({ path, pragmas: pragmasOfWriter, busyMs, log, durability });
  const db = withTransactions(
    new Kysely<Schema>({
      dialect: createSqliteDialect({
        writer,
        reader: () => (reader ??= openConnection(path, pragmasOfReader)),
        readers,
        busyMs,
        async close() {
          await writer.close();
          await closeReaders();
        },
      }),
    }),
    log,
  );
  try {
    if (schema === 'migrate') {
      // A migration may sort a table of any size, which must not be held in memory.
      writer.runScript('PRAGMA temp_store = FILE');
      await migrate(db, { runScript: async (_tx, script) => writer.runScript(script) });
      writer.runScript('PRAGMA temp_store = MEMORY');
    } else await requireMigrated(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}
