/** Triggers refuse every change while a service is moved, and its processes go on reading. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DatabaseReadOnly } from '../../src/storage/db/database.ts';
import { acceptChanges, refuseChanges } from '../../src/storage/db/read-only.ts';
import { createReadiness } from '../../src/monitoring/readiness.ts';
import { hours } from '../../src/lib/clock.ts';
import { stillTables } from '../../src/operator/move/last-step.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { fillTables } from '../harness/fill-tables.ts';
import { openNew } from '../harness/open-database.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { formWith, sendForm, uploadFile } from '../harness/uploads.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';

/** Marks the database as the command does in the last step. */
async function makeReadOnly({ context: { db } }: Pick<TestServer, 'context'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('moves')
      .values({ direction: 'out', stage: 'read-only', stage_since: 0, service: 'kelp' })
      .execute();
    await refuseChanges(tx, stillTables);
  });
}

async function makeWritable({ context: { db } }: Pick<TestServer, 'context'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('moves').execute();
    await acceptChanges(tx);
  });
}

test('while a service is moved, changes get a 503 that says so, and files are served', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'kept', 'kept.txt');
  await makeReadOnly(server);
  const refusal = expect.stringMatching(/^This site is being moved/) as string;
  const refused = await fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: { 'X-API-Key': ann.apiKey },
    body: formWith('new'),
  });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(await refused.json()).toEqual({ success: false, error: refusal });
  await expect(ann.byKey.deleteFiles({ body: { files: [name] } })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(
    openBrowser(server).client.login({ body: { email: ann.email, password: goodPassword } }),
  ).rejects.toMatchObject({ code: 'UNAVAILABLE', message: refusal });
  expect((await call(server, `/file/${name}`)).text).toBe('kept');
  const readiness = createReadiness(server.context);
  expect(await readiness()).toMatchObject({
    status: 200,
    body: expect.stringMatching(/^degraded\n[\s\S]*\nchanges: refused, because the service is being moved\n/) as string,
  });
  // Reading goes on although the use of the session and of the key is due to be noted.
  server.clock.advance(hours(2));
  expect((await ann.browser.client.getFileList({ query: {} })).files).toMatchObject([{ name }]);
  expect((await ann.byKey.getFileList({ query: {} })).files).toMatchObject([{ name }]);
  expect(await server.context.db.selectFrom('blobs').select('id').execute()).toHaveLength(1);

  await makeWritable(server);
  expect(await sendForm(server, ann, formWith('new'))).toMatchObject({ success: true });
  // The download of the meantime was kept in memory.
  const hits = () => server.context.db.selectFrom('files').select('hits').where('name', '=', name).execute();
  await expect.poll(hits).toEqual([{ hits: 1 }]);
  expect(server.log.filter((line) => /request failed|hits could not/.test(line))).toEqual([]);
});

test('a job that meets a read-only database stops, and has not failed', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann);
  await ann.byKey.deleteFiles({ body: { files: [name] } });
  server.clock.advance(hours(30));
  await server.runJob('scan-pending');
  await makeReadOnly(server);
  await expect(server.runJob('purge')).rejects.toBeInstanceOf(DatabaseReadOnly);
  await makeWritable(server);
  const { db } = server.context;
  expect(await db.selectFrom('jobs').select('failures').where('failures', '>', 0).execute()).toEqual([]);
});

test('every table but the notes of running processes refuses every change', async () => {
  await using database = await openNew();
  const { db } = database;
  await fillTables(db, 1);
  await db.transaction().execute((tx) => refuseChanges(tx, stillTables));
  for (const table of stillTables) {
    const name = sql.table(table);
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${name}`.execute(db);
    const [column = ''] = Object.keys(rows[0] ?? {});
    const changes = [
      sql`INSERT INTO ${name} SELECT * FROM ${name}`,
      sql`UPDATE ${name} SET ${sql.ref(column)} = ${sql.ref(column)}`,
      sql`DELETE FROM ${name}`,
    ];
    for (const change of changes)
      await expect(change.execute(db), table).rejects.toBeInstanceOf(
        table === 'operator_actions' ? Error : DatabaseReadOnly,
      );
    expect((await sql`SELECT * FROM ${name}`.execute(db)).rows, table).toEqual(rows);
  }
  const at = Date.now();
  await db.insertInto('processes').values({ id: 'one', started_at: at, seen_at: at }).execute();
  for (let times = 0; times < 2; times += 1) {
    await db.transaction().execute(acceptChanges);
    await db.transaction().execute(acceptChanges);
    await db.deleteFrom('sessions').execute();
    // The triggers of PostgreSQL are still there, and are used again.
    await db.transaction().execute((tx) => refuseChanges(tx, stillTables));
    await expect(db.deleteFrom('activity').execute()).rejects.toBeInstanceOf(DatabaseReadOnly);
  }
  await db.transaction().execute(acceptChanges);
  await db.deleteFrom('activity').execute();
  await expect(sql`DELETE FROM operator_actions`.execute(db)).rejects.toThrow('only added to');
});

test.runIf(postgres)(
  'a change that is under way is committed before the database is read-only, or refused',
  async () => {
    await using server = await startServer();
    const ann = await signUpAndIn(server);
    const { db } = server.context;
    const written = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<void>();
    const early = db.transaction().execute(async (tx) => {
      await tx.updateTable('accounts').set({ name: 'early' }).where('email', '=', ann.email).execute();
      written.resolve();
      await ending.promise;
    });
    await written.promise;
    let isReadOnly = false;
    const becoming = db
      .transaction()
      .execute((tx) => refuseChanges(tx, ['accounts', 'blobs']))
      .then(() => (isReadOnly = true));
    const waits = sql<{ n: number }>`
    SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND relation = 'accounts'::regclass`;
    await expect.poll(async () => (await waits.execute(db)).rows).toEqual([{ n: 1 }]);
    expect(isReadOnly).toBe(false);
    ending.resolve();
    await Promise.all([early, becoming]);
    expect(await db.selectFrom('accounts').select('name').execute()).toEqual([{ name: 'early' }]);
    await expect(db.updateTable('accounts').set({ name: 'late' }).execute()).rejects.toBeInstanceOf(DatabaseReadOnly);
  },
);

test.runIf(postgres)('readers that hold a table delay neither the last step nor its end', async () => {
  await using database = await openNew();
  const { db } = database;
  const reading = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  const reader = db.transaction().execute(async (tx) => {
    for (const table of stillTables) await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(tx);
    reading.resolve();
    await ending.promise;
  });
  await reading.promise;
  await db.transaction().execute((tx) => refuseChanges(tx, stillTables));
  await db.transaction().execute(acceptChanges);
  await db.insertInto('payment_events').values({ id: 'one', type: 'new', received_at: 1 }).execute();
  ending.resolve();
  await reader;
});
