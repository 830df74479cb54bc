import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { version } from '../../config/version.ts';
import { seconds } from '../../lib/clock.ts';
import { logSometimes } from '../../lib/log-sometimes.ts';
import { DatabaseUnavailable } from '../database/database.ts';
import { createHeldSlots } from './held-slots.ts';
import { isLive } from './is-live.ts';
import type { LiveTables } from './live-tables.ts';
import { createNotes } from './notes.ts';
import type { Follower, Peer, Peers, Topic } from './peers.ts';

export interface PeersOptions {
  readonly open: () => Promise<LiveTables>;
  readonly region: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Opens the tables to list the processes. Returns null if there are none: a command must not create them. */
  readonly read: () => Promise<LiveTables | null>;
  /** Milliseconds between two looks at the others. */
  readonly every?: number;
}

/** A process that meets no other for this many looks is alone. After an outage they do not come back all at once. */
const looksUntilAlone = 4;
/** Interval of looks while a process that starts waits until the others count with it. */
const startingEvery = 100;
/** For that it waits at most this long: another one may be dead. */
const longestStart = seconds(1.5);
/** The least time between two looks, however much begins. */
const soonestMs = 200;

export function openPeers({ open, read, region, log, every = seconds(1) }: PeersOptions): Peers {
  const id = randomUUID();
  const followers: Follower[] = [];
  const topics: Topic[] = [];
  const notes = createNotes(id);
  const logFailure = logSometimes(log, 'the processes of this database could not be read; limits stay as they are');
  let tables: LiveTables | null = null;
  let isAlone = true;
  /** Whether what this process admits is in the tables. */
  let isRecorded = false;
  let whenRecorded = Promise.resolve();
  /** Whether rows of slots may be lost. */
  let mayMissSlots = false;
  /** Time since which no other was met; null if one was, or nobody knows. */
  let metNobodySince: number | null = null;
  let known = 0;
  let lookedAt = -Infinity;
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  const hasMet = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  const slots = createHeldSlots(id, {
    isAlone: () => isAlone,
    tables: () => tables,
    whenRecorded: () => whenRecorded,
  });

  /** Renews the row of this process, and returns the others that run. */
  const meet = async (live: LiveTables): Promise<Other[]> => {
    const shares = isRecorded ? 1 : 0;
    if (!(await renew(live, id, shares))) {
      mayMissSlots = true;
      await enter(live, { id, region, shares });
      notes.forgetWritten();
    }
    if (mayMissSlots) await slots.restore(live);
    mayMissSlots = false;
    const all = await readProcesses(live);
    const others = all.filter((one) => one.isLive && one.id !== id);
    // One of them is enough.
    const isFirst = others.every((other) => id < other.id);
    if (isFirst) for (const dead of all) if (!dead.isLive && dead.id !== id) await forget(live, dead.id);
    if (others.length !== known) log.info({ others: others.length }, 'other processes serve this database');
    known = others.length;
    return others;
  };

  /** Others that were alone may still admit by their memory: waits until they have found this process. */
  const waitForOthers = async (live: LiveTables): Promise<void> => {
    const until = performance.now() + longestStart;
    for (let others = await meet(live); others.some((other) => !other.shares); others = await meet(live)) {
      if (performance.now() > until) return;
      await wait(startingEvery, undefined, { ref: false });
    }
  };

  const beginSharing = async (live: LiveTables): Promise<void> => {
    const recorded = Promise.withResolvers<void>();
    whenRecorded = recorded.promise;
    isAlone = false;
    try {
      for (const follower of followers) await follower.beginSharing(live);
      await slots.record(live);
      isRecorded = true;
      hasMet.resolve();
      await waitForOthers(live);
    } finally {
      recorded.resolve();
    }
  };

  /** A process that starts reads `shares` after it has written its row, so one of the two sees the other. */
  const endSharing = async (live: LiveTables): Promise<void> => {
    isRecorded = false;
    if ((await meet(live)).length > 0) return beginSharing(live);
    for (const follower of followers) await follower.endSharing(live);
    isAlone = true;
    for (const topic of topics) topic.receive(new Map());
  };

  const exchangeNotes = async (live: LiveTables): Promise<void> => {
    const others = await notes.exchange(live, new Map(topics.flatMap((topic) => [...topic.own()])));
    for (const topic of topics) topic.receive(others);
  };

  const look = async (live: LiveTables): Promise<void> => {
    lookedAt = performance.now();
    const others = await meet(live);
    metNobodySince = others.length > 0 ? null : (metNobodySince ?? lookedAt);
    if (others.length > 0 && !isRecorded) await beginSharing(live);
    else if (!isAlone && metNobodySince !== null && lookedAt - metNobodySince >= looksUntilAlone * every)
      await endSharing(live);
    if (isAlone) return;
    await slots.releaseLate(live);
    await exchangeNotes(live);
  };

  const lookQuietly = async (live: LiveTables): Promise<void> => {
    try {
      await look(live);
    } catch (error) {
      metNobodySince = null;
      // The engine of the database logs an outage once.
      if (!(error instanceof DatabaseUnavailable)) logFailure(error);
    }
  };

  /** One look at a time, and one that waits. */
  const lookNext = (live: LiveTables): Promise<void> => {
    if (waiting) return waiting;
    const next = last.then(() => {
      waiting = null;
      return lookQuietly(live);
    });
    return (last = waiting = next);
  };

  return {
    async join() {
      const live = (tables = await open());
      // A start does not wait until the others count with it; its uploads do.
      await Promise.race([lookNext(live), hasMet.promise]);
      timer = setInterval(() => {
        if (performance.now() - lookedAt >= every / 2) void lookNext(live);
      }, every).unref();
    },
    isAlone: () => isAlone,
    takeSlot: (key, most) => slots.take(key, most),
    exchange: (topic) => void topics.push(topic),
    exchangeSoon() {
      const live = tables;
      if (isAlone || soon || !live) return;
      const delay = Math.max(0, lookedAt + soonestMs - performance.now());
      soon = setTimeout(() => {
        soon = undefined;
        void lookNext(live);
      }, delay).unref();
    },
    follow: (follower) => void followers.push(follower),
    tables: () => tables,
    async list() {
      if (tables) return listProcesses(tables);
      await using opened = await read();
      return opened ? await listProcesses(opened) : [];
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      clearTimeout(soon);
      slots[Symbol.dispose]();
      await last;
      if (!tables) return;
      await forget(tables, id).catch((error: unknown) => {
        log.warn({ err: error }, 'the end of this process could not be noted; the others notice it within seconds');
      });
      await tables[Symbol.asyncDispose]();
    },
  };
}

interface Other {
  readonly id: string;
  /** Whether what it admits is in the tables. */
  readonly shares: boolean;
  readonly isLive: boolean;
}

/** Returns false if there is no such row: PostgreSQL has crashed, or others hold this process for dead. */
async function renew({ db, now }: LiveTables, id: string, shares: 0 | 1): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('live_processes')
    .set({ seen_at: now(), shares })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === 1;
}

async function enter(
  { db, now }: LiveTables,
  { id, region, shares }: { readonly id: string; readonly region: string; readonly shares: 0 | 1 },
): Promise<void> {
  const name = `${hostname()} ${process.pid}`;
  await db
    .insertInto('live_processes')
    .values({ id, name, region, version, started_at: startedAt(), seen_at: now(), shares })
    .execute();
}

const startedAt = () => Math.round(performance.timeOrigin);

async function readProcesses(tables: LiveTables): Promise<Other[]> {
  const rows = await tables.db
    .selectFrom('live_processes as one')
    .select(['id', 'shares', sql<number | boolean>`${isLive(tables, 'one')}`.as('is_live')])
    .execute();
  return rows.map((row) => ({ id: row.id, shares: row.shares === 1, isLive: Boolean(row.is_live) }));
}

async function listProcesses(tables: LiveTables): Promise<Peer[]> {
  return tables.db
    .selectFrom('live_processes as one')
    .select(['id', 'name', 'region', 'version', 'started_at as startedAt'])
    .where(sql<boolean>`${isLive(tables, 'one')}`)
    .orderBy('started_at')
    .execute();
}

/** Its row last, so that a process that is killed in between is found again. */
async function forget({ db }: LiveTables, id: string): Promise<void> {
  await db.deleteFrom('live_notes').where('process_id', '=', id).execute();
  await db.deleteFrom('live_slots').where('process_id', '=', id).execute();
  await db.deleteFrom('live_processes').where('id', '=', id).execute();
}
