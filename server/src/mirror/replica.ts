import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type Database, DatabaseUnavailable } from '../storage/db/database.ts';
import { hours, seconds } from '../lib/clock.ts';

/** A deleted file must not be served much longer than elsewhere. */
export interface ReplicaWatch extends AsyncDisposable {
  isFresh(): boolean;
  staleFor(): number;
  /** Why the replica is not read, and why the primary cannot be asked; null if they are. */
  readonly problems: { readonly replica: string | null; readonly primary: string | null };
}

export interface ReplicaOptions {
  readonly primary: Database;
  readonly replica: Database;
  readonly log: Pick<Logger, 'warn'>;
  /** How far the replica may be behind, in milliseconds. */
  readonly longestLag?: number;
  /** The same while the primary does not respond: then nothing is deleted. */
  readonly longestAlone?: number;
}

const lookEvery = seconds(1);
const patience = seconds(1);

/**
 * A position in the write-ahead log that the primary had at some time, and that the replica has reached, shows that the
 * replica has all changes until that time.
 */
export async function watchReplica({
  primary,
  replica,
  log,
  longestLag = seconds(30),
  longestAlone = hours(1),
}: ReplicaOptions): Promise<ReplicaWatch> {
  const closing = new AbortController();
  const problems = { replica: null as string | null, primary: null as string | null };
  let currentAt = -Infinity;
  let primarySeenAt = -Infinity;
  let awaited: { readonly position: bigint; readonly at: number } | null = null;

  const staleFor = () => performance.now() - currentAt;
  const isFresh = () => {
    if (problems.replica !== null) return false;
    if (problems.primary === null) return staleFor() <= longestLag;
    // What the primary deleted before it went away is missing in a replica that was too far behind by then.
    return primarySeenAt - currentAt <= longestLag && staleFor() <= longestAlone;
  };
  const askPrimary = async () => {
    const at = performance.now();
    try {
      const position = await inTime(readPosition(primary, sql`pg_current_wal_flush_lsn()`), patience);
      problems.primary = null;
      primarySeenAt = at;
      if (position !== null) awaited ??= { position, at };
    } catch (error) {
      problems.primary = sentenceOf(error);
    }
  };
  const askReplica = async () => {
    try {
      const position = await inTime(readPosition(replica, sql`pg_last_wal_replay_lsn()`), patience);
      problems.replica = position === null ? 'it is no hot standby' : null;
      if (!awaited || position === null || position < awaited.position) return;
      currentAt = awaited.at;
      awaited = null;
    } catch (error) {
      problems.replica = sentenceOf(error);
    }
  };
  let wasFresh: boolean | null = null;
  const look = async () => {
    // In this order: a replica that follows has reached by then where the primary was.
    await askPrimary();
    await askReplica();
    if (isFresh() === wasFresh) return;
    if (!isFresh())
      log.warn({ problems, staleForMs: staleFor() }, 'the replica is not read; the primary is asked instead');
    else if (wasFresh !== null) log.warn('the replica is read again');
    wasFresh = isFresh();
  };
  const follow = async () => {
    while (!closing.signal.aborted) {
      await wait(lookEvery, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      if (!closing.signal.aborted) await look();
    }
  };
  await look();
  const following = follow();
  return {
    isFresh,
    staleFor,
    get problems() {
      return { ...problems, replica: problems.replica ?? (isFresh() ? null : 'it is too far behind') };
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await following;
    },
  };
}

async function readPosition(db: Database, position: ReturnType<typeof sql>): Promise<bigint | null> {
  const { rows } = await sql<{ position: string | null }>`
    SELECT pg_wal_lsn_diff(${position}, '0/0')::text AS position`.execute(db);
  const [row] = rows;
  return row?.position == null ? null : BigInt(row.position);
}

/** @throws {DatabaseUnavailable} if there is no response in time. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new DatabaseUnavailable(`no response in ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
