/** Statements that PostgreSQL prepares once for each connection. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/storage/db/database.ts';
import { prepared } from '../../src/storage/db/prepared.ts';
import { onPostgres } from '../harness/plan-of.ts';
import { startServer } from '../harness/start-server.ts';

const readFacts = (db: Pick<Database, 'selectFrom'>) =>
  db.selectFrom('accounts').selectAll().where('level', '=', 'free').modifyEnd(prepared).execute();

test.runIf(onPostgres)('a marked statement is prepared once, and others are not', async () => {
  await using server = await startServer();
  await server.context.db.connection().execute(async (db) => {
    for (let count = 0; count < 3; count += 1) {
      await readFacts(db);
      await db.selectFrom('accounts').select('level').execute();
    }
    const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(db);
    const ofAccounts = rows.map(({ statement }) => statement).filter((text) => text.includes('"accounts"'));
    expect(ofAccounts).toEqual(['select * from "accounts" where "level" = $1 /* prepared */']);
  });
});

test.runIf(onPostgres)('a statement finds the new columns of a table that another process has migrated', async () => {
  await using server = await startServer();
  await server.context.db.connection().execute(async (db) => {
    for (const column of ['one', 'two']) {
      await readFacts(db);
      await sql`ALTER TABLE accounts ADD COLUMN ${sql.ref(column)} integer`.execute(db);
      await expect(readFacts(db)).resolves.toEqual([]);
    }
  });
});

test.runIf(onPostgres)('a transaction whose statement was prepared before a migration runs again', async () => {
  await using server = await startServer();
  const { db } = server.context;
  const connections = 5;
  const prepareEverywhere = () =>
    Promise.all(Array.from({ length: connections }, () => db.connection().execute((one) => readFacts(one))));
  await prepareEverywhere();
  await sql`ALTER TABLE accounts ADD COLUMN one integer`.execute(db);
  let runs = 0;
  const read = await db.transaction().execute((tx) => {
    runs += 1;
    return readFacts(tx);
  });
  expect({ read, runs }).toEqual({ read: [], runs: 2 });
});

test.runIf(onPostgres)('a statement runs in one process of the database and is not compiled', async () => {
  await using server = await startServer();
  const { rows } = await sql`
    SELECT current_setting('max_parallel_workers_per_gather') AS workers, current_setting('jit') AS jit`.execute(
    server.context.db,
  );
  expect(rows).toEqual([{ workers: '0', jit: 'off' }]);
});
