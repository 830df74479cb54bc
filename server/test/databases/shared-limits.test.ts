/** State shared by several servers on one PostgreSQL; SQLite has one server. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '../harness/calls.ts';
import { openPostgresCounters } from '../../src/storage/counters/postgres.ts';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { startServer } from '../harness/start-server.ts';
import { callFrom, startLimited, statuses } from '../harness/limited-server.ts';

const region = '/api/v3/session/server-info';
const times = (count: number, status: number) => Array.from({ length: count }, () => status);
const postgres = process.env['TEST_DATABASE'] === 'postgres';

test.runIf(postgres)('servers on one PostgreSQL share the limits', async () => {
  await using one = await startLimited();
  const { database } = one.context.config;
  await using other = await startLimited({ DATABASE_URL: database.engine === 'postgres' ? database.url : undefined });
  other.clock.advance(one.clock.now() - other.clock.now());
  const asked = (turn: number) => call(turn % 2 === 0 ? one : other, region);
  expect(await statuses(6, asked)).toEqual([...times(4, 200), 429, 429]);
});

const hourly = { capacity: 2, everyMs: hours(1) };

test.runIf(postgres)('processes count in one bucket by the clock of the database', async () => {
  await using server = await startServer();
  const { db } = server.context;
  const [one, other] = [await openPostgresCounters(db), await openPostgresCounters(db)];
  const taken = [await one.take('a', hourly), await other.take('a', hourly), await one.take('a', hourly)];
  expect(taken.map(({ allowed, remaining }) => ({ allowed, remaining }))).toEqual([
    { allowed: true, remaining: 1 },
    { allowed: true, remaining: 0 },
    { allowed: false, remaining: 0 },
  ]);
  const row = await db.selectFrom('counters').select('full_at').executeTakeFirstOrThrow();
  const now = await sql<{ now: number }>`SELECT (extract(epoch FROM now()) * 1000)::bigint AS now`.execute(db);
  expect(Math.abs(row.full_at - hours(2) - (now.rows[0]?.now ?? 0))).toBeLessThan(minutes(5));
});

test.runIf(postgres).each([
  ['an hour', hours(1)],
  ['a year', days(365)],
])('after the clock of the database was %s ahead no call is refused that would not have been', async (_, ahead) => {
  await using server = await startServer();
  const { db } = server.context;
  const counters = await openPostgresCounters(db);
  await counters.take('a', hourly);
  const later = sql`UPDATE counters SET full_at = full_at + ${ahead}, counted_at = counted_at + ${ahead}`;
  await later.execute(db);
  const take = async () => (await counters.take('a', hourly)).allowed;
  expect([await take(), await take(), await take()]).toEqual([true, true, false]);
});

test.runIf(postgres)('calls that wait for one bucket do not fill it', async () => {
  await using server = await startServer();
  const counters = await openPostgresCounters(server.context.db);
  const taken = await Promise.all(Array.from({ length: 100 }, () => counters.take('a', hourly)));
  expect(taken.filter(({ allowed }) => allowed)).toHaveLength(2);
});

test.runIf(postgres)('a request that cannot be counted is refused, and counting resumes afterwards', async () => {
  await using server = await startLimited();
  await sql`ALTER TABLE counters RENAME TO gone`.execute(server.context.db);
  expect(await call(server, region)).toMatchObject({ status: 500 });
  await sql`ALTER TABLE gone RENAME TO counters`.execute(server.context.db);
  expect(await statuses(5, () => call(server, region))).toEqual([...times(4, 200), 429]);
});

test.runIf(postgres)('the counters in PostgreSQL contain no address in clear text', async () => {
  await using server = await startLimited();
  await callFrom(server, '203.0.113.1', region);
  const rows = await server.context.db.selectFrom('counters').select('key').execute();
  expect(rows).toEqual([{ key: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
});
