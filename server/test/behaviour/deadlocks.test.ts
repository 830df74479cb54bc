/** Transactions that meet on PostgreSQL. SQLite has one writer at a time. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { signUp, signUpForm } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';

/** Holds the rows of all accounts until they are released, as a transaction of another process would. */
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

/** How many sessions wait for `pid`, or for one that waits for it. */
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

const retries = ({ log }: TestServer) => log.filter((line) => line.includes('is tried again'));

/** So many that with the pool's connections nobody waits for anything but a row. */
const people = Array.from({ length: 6 }, (_, at) => `person${at}@example.com`);

/** Everybody's right code beside a sign-up with their address, `first` of the two at the account's row before the other. */
async function meet(server: TestServer, first: 'sign-up' | 'code') {
  const browsers = [];
  for (const email of people) browsers.push({ email, browser: await signUp(server, email) });
  const guesses = [];
  for (const { email, browser } of browsers)
    guesses.push({ browser, body: { code: await server.mail.newestSecretFor(email) } });
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

const everybody = (code: string) => people.map(() => code);

test.runIf(postgres)(
  'a code is judged after the sign-up of its address that came first, and is wrong by then',
  async () => {
    await using server = await startServer();
    expect(await meet(server, 'sign-up')).toEqual({ before: everybody('done'), after: everybody('CODE_INVALID') });
    expect(retries(server)).toEqual([]);
  },
);

test.runIf(postgres)(
  'a sign-up waits for the code of its address that came first, and is refused by then',
  async () => {
    await using server = await startServer();
    expect(await meet(server, 'code')).toEqual({ before: everybody('done'), after: everybody('EMAIL_TAKEN') });
    expect(retries(server)).toEqual([]);
  },
);
