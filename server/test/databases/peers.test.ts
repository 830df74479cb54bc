/** Processes that serve one database at the same time: what they know of each other, and the slots that they share. */
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../src/engines/database/database.ts';
import { openPostgres } from '../../src/engines/database/postgres.ts';
import type { Peers, Slot, Topic } from '../../src/engines/peers/peers.ts';
import { openDatabaseRelay } from '../harness/database-relay.ts';
import { leaveProcess, leaveSlots, openLiveTables, openPeers } from '../harness/open-peers.ts';
import { onPostgres } from '../harness/plan-of.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

async function joined(server: TestServer): Promise<Peers> {
  const peers = openPeers(server);
  await peers.join();
  return peers;
}

const key = 'uploads of ada';
const most = 4;

async function takeAll(peers: readonly Peers[], count: number): Promise<Slot[]> {
  const taken = await Promise.all(
    Array.from({ length: count }, async (_, turn) => peers[turn % peers.length]?.takeSlot(key, most)),
  );
  return taken.filter((slot) => slot !== null && slot !== undefined);
}

/** Gives back what it has taken if some slots were not free yet. */
async function takeAllOrNone(one: Peers): Promise<number> {
  const taken = await takeAll([one], most + 1);
  if (taken.length < most) for (const slot of taken) await slot.release();
  return taken.length;
}

test('a process is alone until another joins, and again some seconds after that has ended', async () => {
  await using server = await startServer();
  await using one = await joined(server);
  expect(one.isAlone()).toBe(true);
  {
    await using other = await joined(server);
    expect(other.isAlone()).toBe(false);
    await expect.poll(() => one.isAlone()).toBe(false);
    expect(await one.list()).toHaveLength(2);
  }
  expect(await one.list()).toHaveLength(1);
  await expect.poll(() => one.isAlone()).toBe(true);
});

test('a process that has not joined is alone, and lists the others', async () => {
  await using server = await startServer();
  const { peers } = server.context;
  expect(await peers.list()).toEqual([]);
  await using one = await joined(server);
  expect(one.tables()).not.toBeNull();
  expect(await peers.list()).toMatchObject([{ region: 'Local', name: expect.stringContaining(String(process.pid)) }]);
  expect(peers.isAlone()).toBe(true);
});

test('of 24 that take a slot at once in three processes four get one, in each of 20 rounds', async () => {
  await using server = await startServer();
  await using first = await joined(server);
  await using second = await joined(server);
  await using third = await joined(server);
  for (let round = 0; round < 20; round += 1) {
    const slots = await takeAll([first, second, third], 24);
    expect(slots).toHaveLength(most);
    expect(await third.takeSlot(key, most)).toBeNull();
    await slots[0]?.release();
    const next = await second.takeSlot(key, most);
    expect(next).not.toBeNull();
    await next?.release();
    for (const slot of slots.slice(1)) await slot.release();
  }
});

test('slots that were taken while a process was alone count when another has started', async () => {
  await using server = await startServer();
  await using one = await joined(server);
  const slots = await takeAll([one], most);
  expect(slots).toHaveLength(most);
  await using other = await joined(server);
  expect(await other.takeSlot(key, most)).toBeNull();
  await slots[0]?.release();
  const next = await other.takeSlot(key, most);
  expect(next).not.toBeNull();
  expect(await one.takeSlot(key, most)).toBeNull();
});

test('a slot that was taken beside another process counts when that has ended', async () => {
  await using server = await startServer();
  await using one = await joined(server);
  const slots = [];
  {
    await using _other = await joined(server);
    slots.push(...(await takeAll([one], 3)));
  }
  await expect.poll(() => one.isAlone()).toBe(true);
  slots.push(...(await takeAll([one], 3)));
  expect(slots).toHaveLength(most);
  for (const slot of slots) await slot.release();
  await using next = await joined(server);
  expect(await takeAll([next], 5)).toHaveLength(most);
});

test('the slots of a killed process are free when it has not renewed its row for some seconds', async () => {
  await using server = await startServer();
  await using tables = await openLiveTables(server);
  await leaveProcess(tables, { id: 'killed', ago: 3_500 });
  await leaveSlots(tables, 'killed', key, most);
  await using one = await joined(server);
  expect(await one.takeSlot(key, most)).toBeNull();
  await expect.poll(() => takeAllOrNone(one)).toBe(most);
  await expect.poll(() => one.list()).toHaveLength(1);
});

test('a process whose rows are lost writes them again', async () => {
  await using server = await startServer();
  await using tables = await openLiveTables(server);
  await using one = await joined(server);
  await using other = await joined(server);
  expect(await takeAll([one], 3)).toHaveLength(3);
  await tables.db.deleteFrom('live_slots').execute();
  await tables.db.deleteFrom('live_processes').execute();
  await expect.poll(() => one.list()).toHaveLength(2);
  await expect.poll(() => tables.db.selectFrom('live_slots').selectAll().execute()).toHaveLength(3);
  expect(await takeAll([other], 5)).toHaveLength(1);
});

test('a process whose rows are lost does not take one number twice', async () => {
  await using server = await startServer();
  await using tables = await openLiveTables(server);
  await using one = await joined(server);
  await using _other = await joined(server);
  await expect.poll(() => one.isAlone()).toBe(false);
  const rows = () => tables.db.selectFrom('live_slots').select('slot').execute();
  for (let round = 0; round < 20; round += 1) {
    const slots = await takeAll([one], 2);
    await tables.db.deleteFrom('live_slots').execute();
    slots.push(...(await takeAll([one], 2)));
    expect(slots).toHaveLength(most);
    await tables.db.deleteFrom('live_processes').execute();
    await expect.poll(rows).toHaveLength(most);
    for (const slot of slots) await slot.release();
    await expect.poll(rows).toEqual([]);
  }
});

test('a process that others held for dead holds each of its slots once, and gives all back', async () => {
  await using server = await startServer();
  await using tables = await openLiveTables(server);
  await using one = await joined(server);
  await using other = await joined(server);
  const slots = await takeAll([one], 3);
  const rows = () => tables.db.selectFrom('live_slots').select('slot').execute();
  await expect.poll(rows).toHaveLength(3);
  // Killed between the statements of its cleanup, the other one has deleted some of the rows.
  for (let turn = 0; turn < 5; turn += 1) {
    await tables.db.deleteFrom('live_slots').where('slot', '=', 0).execute();
    await tables.db.deleteFrom('live_processes').execute();
    await expect.poll(() => one.list()).toHaveLength(2);
    await expect.poll(rows).toHaveLength(3);
  }
  for (const slot of slots) await slot.release();
  const others = await takeAll([other], 5);
  expect(others).toHaveLength(most);
  for (const slot of others) await slot.release();
  await expect.poll(rows).toEqual([]);
});

test('a process takes again what it has just released, and gives it up to another process that asks', async () => {
  await using server = await startServer();
  await using tables = await openLiveTables(server);
  await using one = await joined(server);
  await using other = await joined(server);
  await expect.poll(() => one.isAlone()).toBe(false);
  const taken: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const slot = await one.takeSlot(key, most);
    const rows = await tables.db.selectFrom('live_slots').select('slot').execute();
    taken.push(rows[0]?.slot ?? -1);
    await slot?.release();
  }
  // A row of its own each time would be another one in three rounds of four.
  expect(taken.filter((slot, round) => slot !== taken[round - 1]).length).toBeLessThan(15);
  const slots = await takeAll([one], most);
  for (const slot of slots) await slot.release();
  expect(await takeAll([other], most)).toHaveLength(most);
  expect(await one.takeSlot(key, most)).toBeNull();
});

test('the notes of a process reach those with the same keys only, and end with it', async () => {
  await using server = await startServer();
  const own = new Map([
    ['a', '1'],
    ['b', '2'],
  ]);
  const received = new Map<string, readonly string[]>();
  const ignore: Topic['receive'] = () => {};
  const open = async (notes: ReadonlyMap<string, string>, receive = ignore) => {
    const peers = openPeers(server);
    peers.exchange({ own: () => notes, receive });
    await peers.join();
    return peers;
  };
  const keep = (others: ReadonlyMap<string, readonly string[]>) => {
    received.clear();
    for (const [name, notes] of others) received.set(name, notes);
  };
  await using _one = await open(own, keep);
  {
    await using _second = await open(new Map([['a', '5']]));
    await using _third = await open(
      new Map([
        ['a', '7'],
        ['c', '9'],
      ]),
    );
    await expect
      .poll(() => [...received].map(([name, notes]) => [name, notes.toSorted()]))
      .toEqual([['a', ['5', '7']]]);
    own.delete('a');
    own.set('c', '3');
    await expect.poll(() => [...received]).toEqual([['c', ['9']]]);
  }
  await expect.poll(() => [...received]).toEqual([]);
});

test.runIf(onPostgres)(
  'while the database is away a process goes on as before, and what it released is free afterwards',
  async () => {
    await using server = await startServer();
    const { database } = server.context.config;
    const relay = await openDatabaseRelay(database.engine === 'postgres' ? database.url : '');
    const db = await openPostgres(relay.url, pino({ enabled: false }));
    await using opened = new AsyncDisposableStack();
    opened.defer(() => db.destroy());
    await using one = await joined(server);
    const away = opened.use(openPeers({ context: { ...server.context, db } }));
    let received = 0;
    away.exchange({ own: () => new Map([['a', '1']]), receive: () => (received += 1) });
    await away.join();
    const slots = await takeAll([away], most);
    expect(slots).toHaveLength(most);
    await relay.cut();
    await expect(away.takeSlot('uploads of bob', most)).rejects.toThrow(DatabaseUnavailable);
    const before = received;
    for (const slot of slots) await slot.release();
    // Much longer than it takes to be alone.
    await wait(1_000);
    expect(away.isAlone()).toBe(false);
    expect(received).toBeLessThanOrEqual(before + 1);
    await relay.mend();
    await expect.poll(() => away.takeSlot('uploads of bob', most).catch(() => null)).not.toBeNull();
    await expect.poll(() => takeAllOrNone(one)).toBe(most);
  },
);
