import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export interface TestDatabase extends AsyncDisposable {
  /** The value of DATABASE_URL, or null for the default in the data folder. */
  readonly url: string | null;
}

/**
 * A fresh, empty database on the engine of this project of the test run. On PostgreSQL it is a separate schema, which
 * the connections treat as the whole database: creating a real one copies a template each time.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (process.env['TEST_DATABASE'] !== 'postgres') return { url: null, async [Symbol.asyncDispose]() {} };
  const server = `${inject('postgresUrl')}/postgres`;
  const schema = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, `CREATE SCHEMA ${schema}`);
  return {
    url: `${server}?options=-c%20search_path%3D${schema}`,
    [Symbol.asyncDispose]: () => administer(server, `DROP SCHEMA ${schema} CASCADE`),
  };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
