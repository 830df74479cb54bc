import { startPostgres } from '@holdfast/test-support/start-postgres.ts';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/storage/db/postgres.ts';
import { startPgbouncer } from '../harness/start-pgbouncer.ts';

const log = { warn: () => {} };

/** In front of an empty PostgreSQL. Returns a value of DATABASE_URL. */
async function startPooler(mode: 'session' | 'transaction'): Promise<string> {
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  const postgres = opened.use(await startPostgres());
  return `${opened.use(await startPgbouncer(postgres.url, mode)).url}/postgres`;
}

test('a pooler that keeps the connection of each client serves', async () => {
  const db = await openPostgres(await startPooler('session'), log);
  const { rows } = await sql<{ lock: string }>`SELECT current_setting('lock_timeout') AS lock`.execute(db);
  expect(rows).toEqual([{ lock: '3s' }]);
  await db.destroy();
});

test('a pooler that lends a connection for each transaction is refused at once, also by commands', async () => {
  const url = await startPooler('transaction');
  for (const schema of ['migrate', 'as it is'] as const)
    await expect(openPostgres(url, log, { schema })).rejects.toThrow(/Set its pool_mode to session\.$/);
});
