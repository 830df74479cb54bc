/** Rows carry the time of PostgreSQL; SQLite is on the machine of its server. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pauseLeft } from '../../src/jobs/clock-guard.ts';
import { hours, minutes } from '../../src/lib/clock.ts';
import type { Database } from '../../src/storage/db/database.ts';
import { openDatabaseClock } from '../../src/storage/db/database-clock.ts';
import { readFact } from '../../src/storage/db/service-facts.ts';
import { openLine } from '../harness/raw-http.ts';
import { startSeveral } from '../harness/several-processes.ts';
import { startServer } from '../harness/start-server.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';

async function secondsFromDatabase(db: Database, time: number): Promise<number> {
  const asked = sql<{ away: number }>`
    SELECT abs(extract(epoch FROM clock_timestamp()) - ${time / 1000}::float8)::float8 AS away`;
  return (await asked.execute(db)).rows[0]?.away ?? Infinity;
}

const halfAnHour = minutes(30) / 1000;
const setsClock = (ms: number) =>
  `--import=data:text/javascript,const{now}=Date;Date.now=()=>now.call(Date)+${String(ms)}`;

test.runIf(postgres)('a node that is two hours ahead takes no lease too early, and pauses no deletions', async () => {
  const { context, start } = await startSeveral(1);
  const { db } = context;
  const beaten = () => db.selectFrom('processes').select('seen_at').execute();
  await expect.poll(beaten).toHaveLength(1);
  const ahead = await start({ NODE_OPTIONS: setsClock(hours(2)) });
  await expect.poll(beaten).toHaveLength(2);
  // It warns of this host.
  using line = openLine({ port: Number(new URL(ahead.url).port) });
  await line.send('GET', '/', { Host: 'other.example' });
  const warnedAt = () => Number(/"time":(\d+)/.exec(ahead.log.join('\n'))?.[1] ?? NaN);
  await expect.poll(warnedAt).not.toBeNaN();
  expect(await secondsFromDatabase(db, warnedAt())).toBeGreaterThan(halfAnHour);
  const heartbeat = await readFact(db, 'heartbeat');
  for (const time of [heartbeat?.at ?? 0, ...(await beaten()).map((row) => row.seen_at)])
    expect(await secondsFromDatabase(db, time)).toBeLessThan(halfAnHour);
  expect(await pauseLeft(context)).toBe(0);
});

test.runIf(postgres)('the clock runs on between two looks at that of the database, and then follows it', async () => {
  await using server = await startServer();
  const { db } = server.context;
  let local = 1_000;
  const clock = await openDatabaseClock(db, { monotonic: () => local });
  const at = clock.now();
  expect(await secondsFromDatabase(db, at)).toBeLessThan(halfAnHour);
  local += hours(2) + 0.25;
  expect(clock.now()).toBe(at + hours(2));
  await clock.synchronize();
  expect(await secondsFromDatabase(db, clock.now())).toBeLessThan(halfAnHour);
});
