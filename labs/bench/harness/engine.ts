import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@holdfast/server/src/storage/db/database.ts';
import { openPostgres } from '@holdfast/server/src/storage/db/postgres.ts';
import { openSqlite } from '@holdfast/server/src/storage/db/sqlite.ts';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { startPostgres } from '@holdfast/test-support/start-postgres.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

/** The storage of one server, accessible before the server starts or while it runs. */
export interface Store extends AsyncDisposable {
  readonly dataDir: string;
  /** The secret that seals API keys. */
  readonly secret: Buffer;
  /** Environment variables that set the server's database and secret. */
  readonly environment: Readonly<Record<string, string>>;
  /** Opens the database with its schema. The caller closes it. */
  readonly open: () => Promise<Database>;
}

export interface StoreOptions {
  /** True if commits are part of what is measured: then PostgreSQL is on the disk and syncs. */
  readonly durable?: boolean;
  /** Where PostgreSQL keeps its data, in a folder of its own. */
  readonly parent?: string;
  /** Lines of the configuration of PostgreSQL. */
  readonly settings?: readonly string[];
}

/**
 * Opens SQLite in the data folder, or a dedicated PostgreSQL that is deleted with the store. PostgreSQL keeps its data
 * in memory unless the options say otherwise.
 */
export async function openStore(
  engine: Engine,
  dataDir: string,
  { durable = false, parent = durable ? tmpdir() : memoryFolder(), settings = [] }: StoreOptions = {},
): Promise<Store> {
  const secret = randomBytes(32).toString('hex');
  const common = { dataDir, secret: Buffer.from(secret) };
  if (engine === 'SQLite')
    return {
      ...common,
      environment: { SECRET_KEY: secret },
      open: () => openSqlite(join(dataDir, 'holdfast.db')),
      async [Symbol.asyncDispose]() {},
    };
  const postgres = await startPostgres([...(durable ? ['fsync=on'] : []), ...settings], parent);
  const url = `${postgres.url}/postgres`;
  return {
    ...common,
    environment: { SECRET_KEY: secret, DATABASE_URL: url },
    // Filling a large table takes longer than the server's statement timeout allows.
    open: () => openPostgres(`${url}?statement_timeout=0`, { warn() {} }),
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}
