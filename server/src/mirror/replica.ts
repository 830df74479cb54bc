import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createLookUp, type LookUp } from '../delivery/look-up.ts';
import { hours, seconds } from '../lib/clock.ts';
import { messageOf } from '../lib/message-of.ts';
import { inTime } from '../lib/in-time.ts';
import { type Database, DatabaseUnavailable } from '../storage/db/database.ts';

export interface ReplicaOptions {
  readonly primary: Database;
  readonly replica: Database;
  readonly log: Pick<Logger, 'warn'>;
  /** A deleted file must not be served much longer than elsewhere. */
  readonly longestLag?: number;
  /** A primary that is down deletes nothing; one that only this node cannot reach may. */
  readonly longestAlone?: number;
}

export type ReplicaWatch = Awaited<ReturnType<typeof watchReplica>>;

const lookEvery = seconds(1);
const longestPosition = seconds(1);
const longestLookUp = seconds(0.5);

/**
 * A position in the write-ahead log that the primary had at some time, and that the replica has reached, shows that the
 * replica has all changes until that time.
 */
export async function watchReplica(options: ReplicaOptions) {
  const { primary, replica, log, longestLag = seconds(30), longestAlone = hours(1) } = options;
  const closing = new AbortController();
  const problems = { replica: null as string | null, primary: null as string | null };
  let currentAt = -Infinity;
  let primarySeenAt = -Infinity;
  let awaited: { readonly position: bigint; readonly at: number } | null = null;
  let wasFresh: boolean | null = null;

  const staleFor = () => performance.now() - currentAt;
  const isFresh = () => {
    if (problems.replica !== null) return false;
    if (problems.primary === null) return staleFor() <= longestLag;
    // A replica that was too far behind when the primary went away lacks its last deletions.
    return primarySeenAt - currentAt <= longestLag && staleFor() <= longestAlone;
  };
  const askPrimary = async () => {
    const at = performance.now();
    try {
      const position = await readPosition(primary, sql`pg_current_wal_flush_lsn()`);
      problems.primary = null;
      primarySeenAt = at;
      if (position !== null) awaited ??= { position, at };
    } catch (error) {
      problems.primary = messageOf(error);
    }
  };
  const askReplica = async () => {
    try {
      const position = await readPosition(replica, sql`pg_last_wal_replay_lsn()`);
      problems.replica = position === null ? 'it is no hot standby' : null;
      if (!awaited || position === null || position < awaited.position) return;
      currentAt = awaited.at;
      awaited = null;
    } catch (error) {
      problems.replica = messageOf(error);
    }
  };
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

type Databases = Pick<ReplicaOptions, 'primary' | 'replica' | 'log'> & { replicaWatch: Pick<ReplicaWatch, 'isFresh'> };

/** The primary is asked about names that may be new, and about all while the replica is away, slow or too far behind. */
export function createMirrorLookUp({ primary, replica, replicaWatch, log }: Databases): LookUp {
  const onReplica = createLookUp(replica);
  const onPrimary = createLookUp(primary);
  return async (name) => {
    if (!replicaWatch.isFresh()) return onPrimary(name);
    const found = await inTime(onReplica(name), longestLookUp, tooLate).catch((error: unknown) => {
      // A standby also cancels statements that stand in the way of changes.
      if (!(error instanceof DatabaseUnavailable)) throw error;
      log.warn({ err: error }, 'the replica could not look a link up; the primary is asked');
    });
    return found ?? onPrimary(name);
  };
}

async function readPosition(db: Database, position: ReturnType<typeof sql>): Promise<bigint | null> {
  const asked = sql<{ position: string | null }>`
    SELECT pg_wal_lsn_diff(${position}, '0/0')::text AS position`.execute(db);
  const [row] = (await inTime(asked, longestPosition, tooLate)).rows;
  return row?.position == null ? null : BigInt(row.position);
}

const tooLate = () => new DatabaseUnavailable('no response in time');
