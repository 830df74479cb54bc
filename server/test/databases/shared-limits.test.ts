/** State shared by several servers on one PostgreSQL; SQLite has one server. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '../harness/calls.ts';
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

test.runIf(postgres)('a server with a late clock refills no bucket', async () => {
  await using one = await startLimited();
  const { database } = one.context.config;
  await using late = await startLimited({ DATABASE_URL: database.engine === 'postgres' ? database.url : undefined });
  late.clock.advance(one.clock.now() - late.clock.now() - 2_000);
  expect(await statuses(4, () => call(one, region))).toEqual(times(4, 200));
  const asked = (turn: number) => call(turn % 2 === 0 ? late : one, region);
  expect(await statuses(6, asked)).toEqual(times(6, 429));
});

test.runIf(postgres)('a request that cannot be counted is refused, and counting resumes afterwards', async () => {
  await using server = await startLimited();
  await sql`ALTER TABLE counters RENAME TO gone`.execute(server.context.db);
  expect(await call(server, region)).toMatchObject({ status: 503, json: { error: { code: 'UNAVAILABLE' } } });
  await sql`ALTER TABLE gone RENAME TO counters`.execute(server.context.db);
  expect(await statuses(5, () => call(server, region))).toEqual([...times(4, 200), 429]);
});

test.runIf(postgres)('the counters in PostgreSQL contain no address in clear text', async () => {
  await using server = await startLimited();
  await callFrom(server, '203.0.113.1', region);
  const rows = await server.context.db.selectFrom('counters').select('key').execute();
  expect(rows).toEqual([{ key: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
});
