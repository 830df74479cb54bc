/** Transactions that conflict on PostgreSQL. SQLite has one writer at a time. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { signUp, signUpForm } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { formWith, sendForm, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';

/** Locks the rows of all accounts until they are released, as a transaction of another process would. */
async function holdAccounts({ context }: TestServer) {
  const held = Promise.withResolvers<number>();
  const released = Promise.withResolvers<void>();
  const done = context.db.transaction().execute(async (tx) => {
    await sql`SELECT id FROM accounts FOR UPDATE`.execute(tx);
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx);
    held.resolve(rows[0]?.pid ?? 0);
    await released.promise;
  });
  return { pid: await held.promise, release: () => (released.resolve(), done) };
}

/** Returns the number of sessions that wait for `pid`, or for one that waits for it. */
async function waitersFor({ context }: TestServer, pid: number): Promise<number> {
  const { rows } = await sql<{ waiters: number }>`
    WITH RECURSIVE waiting AS (
      SELECT pid FROM pg_stat_activity WHERE ${pid}::int = ANY (pg_blocking_pids(pid))
      UNION
      SELECT session.pid FROM pg_stat_activity AS session JOIN waiting ON waiting.pid = ANY (pg_blocking_pids(session.pid))
    )
    SELECT count(*) AS waiters FROM waiting`.execute(context.db);
  return Number(rows[0]?.waiters);
}

const retries = ({ log }: TestServer) => log.filter((line) => line.includes('is retried'));

/** Few enough for the pool's connections, so that everything waits only for rows. */
const people = Array.from({ length: 3 }, (_, at) => `person${at}@example.com`);

/**
 * Submits each person's correct code beside a sign-up with their address, with `first` waiting for the account's row
 * before the other.
 */
async function meet(server: TestServer, first: 'sign-up' | 'code') {
  const guesses: { browser: Browser; body: { code: string } }[] = [];
  for (const email of people) {
    const browser = await signUp(server, email);
    guesses.push({ browser, body: { code: await server.mail.newestSecretFor(email) } });
  }
  server.clock.advance(1);
  const account = await holdAccounts(server);
  const steps = {
    'sign-up': () => people.map((email) => openBrowser(server).client.createAccount(signUpForm(email))),
    code: () => guesses.map(({ browser, body }) => browser.client.verifyEmail({ body })),
  };
  const before = Promise.allSettled(steps[first]());
  await expect.poll(() => waitersFor(server, account.pid)).toBe(people.length);
  const after = Promise.allSettled(steps[first === 'code' ? 'sign-up' : 'code']());
  await expect.poll(() => waitersFor(server, account.pid)).toBe(2 * people.length);
  await account.release();
  const codes = (ends: readonly PromiseSettledResult<unknown>[]) =>
    ends.map((end) => (end.status === 'fulfilled' ? 'done' : end.reason.code));
  return { before: codes(await before), after: codes(await after) };
}

test.runIf(postgres).each([
  ['sign-up', 'CODE_INVALID'],
  ['code', 'EMAIL_TAKEN'],
] as const)('what waits for the %s of its address is refused', async (first, code) => {
  await using server = await startServer();
  expect(await meet(server, first)).toEqual({ before: people.map(() => 'done'), after: people.map(() => code) });
  expect(retries(server)).toEqual([]);
});

test.runIf(postgres)('a favorite waits for the account, so none changes while an upload evicts files', async () => {
  await using server = await startServer();
  const owner = await signUpAndIn(server);
  const file = await uploadFile(server, owner);
  const account = await holdAccounts(server);
  const favorite = owner.byKey.toggleFavorite({ body: { file } });
  await expect.poll(() => waitersFor(server, account.pid)).toBe(1);
  await account.release();
  expect(await favorite).toMatchObject({ file_info: { is_favorite: true } });
});

const conflict = sql`DO $$ BEGIN RAISE EXCEPTION 'provoked' USING ERRCODE = '40001'; END $$`;

test.runIf(postgres)('two transactions that lock rows in opposite order are both executed once', async () => {
  await using server = await startServer();
  const { db } = server.context;
  await db
    .insertInto('counters')
    .values([
      { key: 'one', full_at: 0 },
      { key: 'other', full_at: 0 },
    ])
    .execute();
  const bothHold = createBarrier(2);
  let tries = 0;
  const addTo = (keys: readonly string[]) =>
    db.transaction().execute(async (tx) => {
      tries += 1;
      for (const key of keys) {
        await tx
          .updateTable('counters')
          .set((eb) => ({ full_at: eb('full_at', '+', 1) }))
          .where('key', '=', key)
          .execute();
        await bothHold();
      }
      return keys.join();
    });
  expect(await Promise.all([addTo(['one', 'other']), addTo(['other', 'one'])])).toEqual(['one,other', 'other,one']);
  expect(await db.selectFrom('counters').select('full_at').execute()).toEqual([{ full_at: 2 }, { full_at: 2 }]);
  expect(tries).toBe(3);
  expect(retries(server)).toEqual([expect.stringContaining('40P01')]);
});

/** Holds its callers until `size` of them have called, then releases them all; later callers pass at once. */
function createBarrier(size: number): () => Promise<void> {
  const open = Promise.withResolvers<void>();
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting === size) open.resolve();
    return open.promise;
  };
}

test.runIf(postgres)('a transaction that always conflicts is given up after five attempts', async () => {
  await using server = await startServer();
  let tries = 0;
  const always = server.context.db.transaction().execute(async (tx) => {
    tries += 1;
    await conflict.execute(tx);
  });
  await expect(always).rejects.toMatchObject({ code: '40001' });
  expect(tries).toBe(5);
});

/** PostgreSQL aborts the first upload as it commits, and `then` happens to the rows of the second one. */
async function endFirstUpload({ context: { db } }: TestServer, then = ''): Promise<void> {
  await sql`CREATE SEQUENCE upload_tries`.execute(db);
  await sql`CREATE FUNCTION end_first() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF nextval('upload_tries') = 1 THEN RAISE EXCEPTION 'provoked' USING ERRCODE = '40001'; END IF; RETURN NULL; END $$`.execute(
    db,
  );
  await sql`CREATE CONSTRAINT TRIGGER end_first AFTER INSERT ON files DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION end_first()`.execute(db);
  await sql`CREATE FUNCTION after_first() RETURNS trigger LANGUAGE plpgsql AS ${sql.lit(
    `BEGIN IF (SELECT is_called FROM upload_tries) THEN ${then} NULL; END IF; RETURN NEW; END`,
  )}`.execute(db);
  await sql`CREATE TRIGGER after_first BEFORE INSERT ON files FOR EACH ROW EXECUTE FUNCTION after_first()`.execute(db);
}

test.runIf(postgres)('an upload whose commit conflicted is stored once', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  await endFirstUpload(server);
  expect((await sendForm(server, ada, formWith('kelp'))).status).toBe(200);
  expect(retries(server)).toHaveLength(1);
  const { db } = server.context;
  expect(await db.selectFrom('files').select('size').execute()).toEqual([{ size: 4 }]);
  expect(await db.selectFrom('blobs').select('used_by').execute()).toEqual([{ used_by: 1 }]);
  expect(await db.selectFrom('accounts').select(['space_used', 'slots_used']).execute()).toEqual([
    { space_used: 4, slots_used: 1 },
  ]);
  expect(await storedNames(server)).toHaveLength(1);
});

test.runIf(postgres)('an upload that is retried and then fails leaves no bytes', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  await endFirstUpload(server, "RAISE EXCEPTION 'no';");
  expect((await sendForm(server, ada, formWith('kelp'))).status).toBe(500);
  expect(retries(server)).toHaveLength(1);
  expect(await storedNames(server)).toEqual([]);
});
