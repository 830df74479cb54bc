import { sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { seconds } from '../../lib/clock.ts';
import type { Database } from './database.ts';
import { createReplicaFreshness, type FreshnessLimits, usualFreshness } from './replica-freshness.ts';

const lookEvery = seconds(1);

export interface ReplicaWatch extends AsyncDisposable {
  /** Whether the replica may be read now: it responds, and is as current as the limits demand. */
  isFresh(): boolean;
  /** For how many milliseconds the replica may lack changes; Infinity if that is not known. */
  staleFor(): number;
  /** Why the replica is not read, or why the primary cannot be; null if it can. */
  readonly problems: { readonly replica: string | null; readonly primary: string | null };
}

interface Parts {
  readonly primary: Database;
  readonly replica: Database;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly limits?: FreshnessLimits;
}

/** Compares a replica with its primary every second. When it resolves, both have been asked once. */
export async function watchReplica({ primary, replica, log, limits = usualFreshness }: Parts): Promise<ReplicaWatch> {
  const freshness = createReplicaFreshness(limits);
  const closing = new AbortController();
  const services: { replica?: string | null; primary?: string | null } = {};
  let replicaProblem: string | null = 'it was not asked yet';
  let primaryProblem: string | null = null;
  let isTold = false;

  const isOfAnother = () => {
    const isOther = services.primary != null && services.replica != null && services.primary !== services.replica;
    if (isOther && !isTold) log.error('ALARM: DATABASE_READ_URL is no replica of DATABASE_URL, so it is not read');
    isTold ||= isOther;
    return isOther;
  };
  const askPrimary = async () => {
    const at = performance.now();
    try {
      const { position, service } = await readPrimary(primary);
      services.primary = service;
      freshness.primaryWasAt(position, at);
      primaryProblem = null;
    } catch (error) {
      primaryProblem = sentenceOf(error);
    }
  };
  const askReplica = async () => {
    try {
      const { position, committedAgo, service } = await readReplica(replica);
      services.replica = service;
      const now = performance.now();
      if (position !== null) freshness.replicaIsAt(position, now, committedAgo === null ? null : now - committedAgo);
      replicaProblem = problemOf(position === null, isOfAnother());
    } catch (error) {
      replicaProblem = sentenceOf(error);
    }
  };
  const isFresh = () => replicaProblem === null && freshness.isFresh(performance.now());
  const problemNow = () => replicaProblem ?? (isFresh() ? null : 'it is too far behind');
  let lastProblem: string | null = null;
  const tell = () => {
    const problem = problemNow();
    if (problem !== null && lastProblem === null)
      log.warn({ problem, staleForMs: staleFor() }, 'the replica is not read; the primary is asked instead');
    if (problem === null && lastProblem !== null) log.warn('the replica is read again');
    lastProblem = problem;
  };
  const staleFor = () => freshness.staleFor(performance.now());
  const follow = async (ask: () => Promise<void>) => {
    while (!closing.signal.aborted) {
      await wait(lookEvery, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      if (!closing.signal.aborted) await ask();
      tell();
    }
  };
  // In this order: a replica that follows has reached by then where the primary was.
  await askPrimary();
  await askReplica();
  tell();
  // One that hangs must not delay what is known of the other.
  const following = Promise.all([follow(askPrimary), follow(askReplica)]);
  return {
    isFresh,
    staleFor,
    get problems() {
      return { replica: problemNow(), primary: primaryProblem };
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await following;
    },
  };
}

function problemOf(isNoStandby: boolean, isOfAnother: boolean): string | null {
  if (isNoStandby) return 'it is no hot standby';
  return isOfAnother ? 'it belongs to another service' : null;
}

const service = sql`(SELECT value FROM service_facts WHERE name = 'id')`;

async function readPrimary(db: Database): Promise<{ position: bigint; service: string | null }> {
  const { rows } = await sql<{ position: string; service: string | null }>`
    SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text AS position, ${service} AS service`.execute(db);
  return { position: BigInt(rows[0]?.position ?? 0), service: rows[0]?.service ?? null };
}

interface ReplicaState {
  /** Null if it is no standby. */
  readonly position: bigint | null;
  /** Milliseconds since its last change was committed, by the clocks of both machines. */
  readonly committedAgo: number | null;
  readonly service: string | null;
}

async function readReplica(db: Database): Promise<ReplicaState> {
  const { rows } = await sql<{ position: string | null; committedAgo: number | null; service: string | null }>`
    SELECT
      CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text END AS position,
      (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::bigint AS "committedAgo",
      ${service} AS service`.execute(db);
  const [state] = rows;
  const position = state?.position ?? null;
  return {
    position: position === null ? null : BigInt(position),
    committedAgo: state?.committedAgo ?? null,
    service: state?.service ?? null,
  };
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
