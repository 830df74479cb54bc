import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from '../../server/src/engines/database/database.ts';
import { openPostgres } from '../../server/src/engines/database/postgres.ts';
import { openSqlite } from '../../server/src/engines/database/sqlite.ts';
import { startPostgres } from '../../server/test/harness/start-postgres.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

/** Where one server keeps what it knows, before the server starts or beside it. */
export interface Store extends AsyncDisposable {
  readonly dataDir: string;
  /** What API keys are sealed with. */
  readonly secret: Buffer;
  /** Tells a server which database and which secret it has. */
  readonly environment: Readonly<Record<string, string>>;
  /** The database with its schema. The caller closes it. */
  readonly open: () => Promise<Database>;
}

/** SQLite in the data folder, or a PostgreSQL of its own, which goes away with the store. */
export async function openStore(engine: Engine, dataDir: string): Promise<Store> {
  const secret = randomBytes(32).toString('hex');
  const common = { dataDir, secret: Buffer.from(secret) };
  if (engine === 'SQLite')
    return {
      ...common,
      environment: { SECRET_KEY: secret },
      open: () => openSqlite(join(dataDir, 'holdfast.db')),
      async [Symbol.asyncDispose]() {},
    };
  const postgres = await startPostgres();
  const url = `${postgres.url}/postgres`;
  return {
    ...common,
    environment: { SECRET_KEY: secret, DATABASE_URL: url },
    // To fill a large table takes longer than a statement of the server may.
    open: () => openPostgres(`${url}?statement_timeout=0`, { warn() {} }),
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}
