import { type PlanLevel, plans, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import type { Pace } from '../http/send-answer.ts';
import { seconds } from '../lib/clock.ts';
import { createTokenBucket, type TokenBucket } from '../lib/token-bucket.ts';
import type { Egress } from './egress.ts';

export interface Throttle extends Disposable {
  /** The pace of one response, until it is disposed. Null where nothing limits it. */
  open(client: string, what: string, level: PlanLevel): OpenPace | null;
}

export interface OpenPace extends Pace, Disposable {
  /** Takes `bytes` if all of them may go at once, and else nothing. */
  takeAtOnce(bytes: number): boolean;
}

/** Each piece is about this much of a second, so that a reader sees a stream and no bursts. */
const pieceSeconds = 0.125;
/** Small, so that a hundred connections that share a bucket do not owe much: who comes then still begins at once. */
const leastPiece = 2 * 1024;
/** A response begins at once, however many others share its bucket, unless they owe more than this. */
const firstMayOweMs = 250;
const sweepEvery = seconds(1);

interface Shared {
  readonly bucket: TokenBucket;
  users: number;
}

/** Bytes per second of a plan. */
export const planSpeed = (level: PlanLevel): number => {
  const { maxDownloadMbps } = plans[level];
  return maxDownloadMbps >= unlimitedMbps ? Infinity : maxDownloadMbps * 125_000;
};

/**
 * One bucket for each client address and file, shared by all connections between them, at the owner's plan speed
 * (decisions section 4). `egress` may make a plan slower for a while, and hears of everything that is sent.
 */
export function openThrottle(egress: Egress | null, now: () => number = () => performance.now()): Throttle {
  const buckets = new Map<string, Shared>();
  // A bucket outlives its connections until its debt is paid: else a client that reconnects would start anew.
  const sweep = setInterval(() => {
    for (const [key, { users, bucket }] of buckets) if (users === 0 && bucket.isFull()) buckets.delete(key);
  }, sweepEvery);
  sweep.unref();

  const shareBucket = (key: string, rate: () => number): Shared => {
    const known = buckets.get(key);
    if (known) return known;
    const fresh = { bucket: createTokenBucket(rate, now), users: 0 };
    buckets.set(key, fresh);
    return fresh;
  };
  return {
    open(client, what, level) {
      const speed = planSpeed(level);
      if (speed === Infinity && !egress) return null;
      const rate = () => egress?.speedOf(level, speed) ?? speed;
      const shared = shareBucket(`${client} ${what} ${level}`, rate);
      return paceFrom(shared, rate, (bytes) => egress?.take(level, bytes) ?? 0);
    },
    [Symbol.dispose]: () => clearInterval(sweep),
  };
}

/** `takeUplink` takes the same bytes from what all plans share, and answers in how many milliseconds they may go. */
function paceFrom(shared: Shared, rate: () => number, takeUplink: (bytes: number) => number): OpenPace {
  let started = false;
  shared.users += 1;
  return {
    takeAtOnce(bytes) {
      if (shared.bucket.level() < bytes) return false;
      if (takeUplink(bytes) > 0) {
        takeUplink(-bytes);
        return false;
      }
      shared.bucket.take(bytes);
      return true;
    },
    take(wanted) {
      const { bucket, users } = shared;
      const usual = Math.max(leastPiece, (rate() * pieceSeconds) / users);
      const bytes = Math.min(wanted, started ? Math.floor(usual) : Math.max(leastPiece, Math.floor(bucket.level())));
      const waitMs = bucket.take(bytes) - (started ? 0 : firstMayOweMs);
      started = true;
      return { bytes, waitMs: Math.max(0, waitMs, takeUplink(bytes)) };
    },
    giveBack(bytes) {
      shared.bucket.take(-bytes);
      takeUplink(-bytes);
    },
    [Symbol.dispose]: () => void (shared.users -= 1),
  };
}
