import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase extends AsyncDisposable {
  /** The value of DATABASE_URL, or null for the default in the data folder. */
  readonly url: string | null;
}

/** A fresh, empty database on the engine that this project of the test run is about. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (process.env['TEST_DATABASE'] !== 'postgres') return { url: null, async [Symbol.asyncDispose]() {} };
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, `CREATE DATABASE ${name}`);
  return {
    url: `${server}/${name}`,
    [Symbol.asyncDispose]: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(`${server}/postgres`);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
