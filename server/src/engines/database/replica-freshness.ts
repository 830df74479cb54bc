import { hours, seconds } from '../../lib/clock.ts';

/** Milliseconds. */
export interface FreshnessLimits {
  /** How far a replica may be behind its primary. */
  readonly longestLag: number;
  /** How long nothing may have shown that the replica is current. */
  readonly longestAlone: number;
}

export const usualFreshness: FreshnessLimits = { longestLag: seconds(30), longestAlone: hours(1) };

/** Positions are bytes of PostgreSQL's write-ahead log; times are those of `performance.now()`. */
export interface ReplicaFreshness {
  /** At `at`, every change that the primary had committed was before `position`. */
  primaryWasAt(position: bigint, at: number): void;
  /**
   * At `at`, the replica has every change before `position`. Its last one was committed at `committedAt` by the
   * primary's clock; null if it knows of none.
   */
  replicaIsAt(position: bigint, at: number, committedAt: number | null): void;
  isFresh(now: number): boolean;
  /** Returns for how long the replica may lack changes of the primary; Infinity if nothing is known. */
  staleFor(now: number): number;
}

/** About two minutes of positions that the replica has not reached. Of a longer lag only its end matters. */
const mostPending = 128;

/**
 * Knows how old the data of a replica may be. The positions of both servers tell it exactly while the primary responds.
 * Then it may only be as far behind as `longestLag`. After the primary has gone away, a replica that was no further behind
 * counts as fresh for `longestAlone`, and for as long again after each change that still reaches it: a primary that is
 * stopped commits nothing, but one that only this process cannot reach does.
 */
export function createReplicaFreshness({ longestLag, longestAlone }: FreshnessLimits): ReplicaFreshness {
  /** When the primary last responded. */
  let contactAt = -Infinity;
  /** The replica has all that was committed until then, by the positions. */
  let currentAt = -Infinity;
  /** The same by the time of its last change, which depends on the clocks of both machines. */
  let committedUntil = -Infinity;
  let pending: { readonly position: bigint; readonly at: number }[] = [];
  const lastProof = () => Math.max(currentAt, committedUntil);
  return {
    primaryWasAt(position, at) {
      contactAt = at;
      pending = [...pending.slice(1 - mostPending), { position, at }];
    },
    replicaIsAt(position, at, committedAt) {
      for (const sample of pending) if (sample.position <= position) currentAt = Math.max(currentAt, sample.at);
      pending = pending.filter((sample) => sample.position > position);
      committedUntil = Math.max(committedUntil, Math.min(committedAt ?? -Infinity, at));
    },
    isFresh(now) {
      const isBehind = contactAt !== -Infinity && contactAt - currentAt > longestLag;
      return !isBehind && now - lastProof() <= longestAlone;
    },
    staleFor: (now) => now - lastProof(),
  };
}
