import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { seconds } from '../../lib/clock.ts';
import { type LiveTables, openSqliteTables } from '../peers/live-tables.ts';
import type { Follower } from '../peers/peers.ts';
import { countersConformance } from './conformance.ts';
import { openSqliteCounters } from './sqlite.ts';

/** Two processes on one file, which share their counters when they are told to. */
async function openProcesses() {
  const opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-counters-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const log = pino({ enabled: false });
  let elapsed = 1_000_000;
  const open = () => {
    const openTables = async (): Promise<LiveTables> => {
      const real = opened.use(await openSqliteTables(join(folder, 'live'), log));
      return { ...real, now: () => sql<number>`${elapsed}` };
    };
    let tables: Promise<LiveTables> | undefined;
    const followers: Follower[] = [];
    const counters = openSqliteCounters({ follow: (one) => followers.push(one) }, { elapsed: () => elapsed });
    return {
      counters,
      async beginSharing() {
        tables ??= openTables();
        for (const one of followers) await one.beginSharing(await tables);
      },
      async endSharing() {
        if (tables) for (const one of followers) await one.endSharing(await tables);
      },
    };
  };
  return {
    one: open(),
    other: open(),
    advance: (ms: number) => void (elapsed += Math.max(0, ms)),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

countersConformance(async () => {
  const { one, ...rest } = await openProcesses();
  return { ...rest, counters: one.counters };
});

countersConformance(async () => {
  const { one, ...rest } = await openProcesses();
  await one.beginSharing();
  return { ...rest, counters: one.counters };
});

const hourly = { capacity: 3, everyMs: seconds(1200) };

test('processes that share count in one bucket, with what was taken before', async () => {
  await using place = await openProcesses();
  const { one, other } = place;
  await one.counters.take('a', hourly);
  await one.beginSharing();
  await other.beginSharing();
  expect(await other.counters.take('a', hourly)).toMatchObject({ allowed: true, remaining: 1 });
  expect(await one.counters.take('a', hourly)).toMatchObject({ allowed: true, remaining: 0 });
  expect(await other.counters.take('a', hourly)).toMatchObject({ allowed: false, retryAfterSeconds: 1200 });
  await other.counters.giveBack('a', hourly);
  expect(await one.counters.take('a', hourly)).toMatchObject({ allowed: true });
});

test('a bucket that two processes have emptied is as far from full as an empty one', async () => {
  await using place = await openProcesses();
  const { one, other } = place;
  for (const { counters } of [one, other]) for (let count = 0; count < 3; count += 1) await counters.take('a', hourly);
  await one.beginSharing();
  await other.beginSharing();
  expect(await one.counters.take('a', hourly)).toMatchObject({ allowed: false, resetSeconds: 3600 });
});

test('a process that is alone again goes on with the counts of both, and writes them no second time', async () => {
  await using place = await openProcesses();
  const { one, other, advance } = place;
  await one.beginSharing();
  await other.beginSharing();
  await one.counters.take('a', hourly);
  await other.counters.take('a', hourly);
  await one.endSharing();
  advance(seconds(600));
  expect(await one.counters.take('a', hourly)).toMatchObject({ allowed: true, remaining: 0, resetSeconds: 3000 });
  await one.beginSharing();
  expect(await one.counters.take('a', hourly)).toMatchObject({ allowed: false, resetSeconds: 3000 });
});

test('of 60 calls at once to two processes as many succeed as the bucket holds', async () => {
  await using place = await openProcesses();
  const { one, other } = place;
  await one.beginSharing();
  await other.beginSharing();
  const taken = await Promise.all(
    Array.from({ length: 60 }, (_, turn) => (turn % 2 === 0 ? one : other).counters.take('a', hourly)),
  );
  expect(taken.filter(({ allowed }) => allowed)).toHaveLength(3);
});
