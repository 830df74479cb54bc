import { type PlanLevel, plans, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import type { Pace } from '../http/bytes/send-response.ts';
import { seconds } from '../lib/clock.ts';
import { createTokenBucket, type TokenBucket } from '../lib/token-bucket.ts';
import { type Egress, leastPiece, type UplinkFlow } from './egress.ts';
import { systemTiming, type Timing } from './timing.ts';

export interface Throttle extends Disposable {
  /** Returns the pace of one response, valid until it is disposed, or null if nothing limits it. */
  open(client: string, what: string, level: PlanLevel): OpenPace | null;
}

export interface OpenPace extends Pace, Disposable {
  /** Takes `bytes` if all of them may go at once, otherwise nothing. */
  takeAtOnce(bytes: number): boolean;
}

/** Length of a piece in seconds, so that the reader sees a stream without bursts. */
const pieceSeconds = 0.125;
/** A response starts at once, however many others share its bucket, unless the bucket's debt exceeds this. */
const firstMayOweMs = 250;
const sweepEvery = seconds(1);

/** A response that waits for its next piece. */
interface Turn {
  readonly wanted: number;
  readonly isFirst: boolean;
  readonly grant: (bytes: number) => void;
  /** Bytes it has taken from the bucket of its flow. */
  taken: number;
  leaveUplink: (() => void) | null;
}

/** All connections on which one client downloads one file. */
interface Flow {
  /** Bytes per second. */
  readonly speed: number;
  readonly bucket: TokenBucket;
  readonly uplink: UplinkFlow | null;
  users: number;
  /** Only the first of them has taken bytes from the bucket, and waits until the debt is paid. */
  readonly waiting: Turn[];
  stopTimer: (() => void) | null;
}

/** Returns the speed of a plan in bytes per second. */
export const planSpeed = (level: PlanLevel): number => {
  const { maxDownloadMbps } = plans[level];
  return maxDownloadMbps >= unlimitedMbps ? Infinity : maxDownloadMbps * 125_000;
};

/**
 * One bucket per client address and file, shared by all connections between them, at the speed of the owner's plan.
 * Bytes that pass it compete for the uplink if `egress` limits it.
 */
export function openThrottle(egress: Egress | null, timing: Timing = systemTiming): Throttle {
  const flows = new Map<string, Flow>();
  // A bucket outlives its connections until its debt is paid, so that a client gains nothing by reconnecting.
  const sweep = setInterval(() => {
    for (const [key, { users, bucket }] of flows) if (users === 0 && bucket.isFull()) flows.delete(key);
  }, sweepEvery);
  sweep.unref();

  const findFlow = (key: string, level: PlanLevel, speed: number): Flow => {
    const known = flows.get(key);
    if (known) return known;
    const bucket = createTokenBucket(speed, () => timing.now());
    const uplink = egress?.openFlow(level) ?? null;
    const fresh = { speed, bucket, uplink, users: 0, waiting: [], stopTimer: null };
    flows.set(key, fresh);
    return fresh;
  };
  return {
    open(client, what, level) {
      const speed = planSpeed(level);
      if (speed === Infinity && !egress) return null;
      return openPace(findFlow(`${client} ${what} ${level}`, level, speed), timing);
    },
    [Symbol.dispose]() {
      clearInterval(sweep);
      for (const { stopTimer } of flows.values()) stopTimer?.();
    },
  };
}

function openPace(flow: Flow, timing: Timing): OpenPace {
  const { bucket, uplink } = flow;
  let started = false;
  flow.users += 1;
  return {
    takeAtOnce(bytes) {
      if (bucket.level() < bytes || uplink?.takeAtOnce(bytes) === false) return false;
      bucket.take(bytes);
      return true;
    },
    queue(wanted, grant) {
      const turn: Turn = { wanted, isFirst: !started, grant, taken: 0, leaveUplink: null };
      started = true;
      if (turn.isFirst && mayStart(flow, turn)) pass(flow, turn);
      else {
        flow.waiting.push(turn);
        // With other turns before it, nothing changes for the first of them.
        if (flow.waiting.length === 1) advance(flow, timing);
      }
      return () => leave(flow, turn, timing);
    },
    giveBack(bytes) {
      bucket.take(-bytes);
      uplink?.giveBack(bytes);
      advance(flow, timing);
    },
    [Symbol.dispose]: () => void (flow.users -= 1),
  };
}

/** Takes the first piece of a response, unless the flow's debt is already too high. */
function mayStart({ bucket }: Flow, turn: Turn): boolean {
  const bytes = Math.min(turn.wanted, Math.max(leastPiece, Math.floor(bucket.level())));
  turn.taken = bytes;
  if (bucket.take(bytes) <= firstMayOweMs) return true;
  bucket.take(-bytes);
  turn.taken = 0;
  return false;
}

/** Releases turns that wait for the bucket, as far as its debt is paid. */
function advance(flow: Flow, timing: Timing): void {
  const { bucket, waiting, speed, users } = flow;
  flow.stopTimer?.();
  flow.stopTimer = null;
  for (let [turn] = waiting; turn; [turn] = waiting) {
    if (turn.taken === 0) {
      turn.taken = Math.min(turn.wanted, Math.max(leastPiece, Math.floor((speed * pieceSeconds) / users)));
      bucket.take(turn.taken);
    }
    const waitMs = bucket.take(0);
    if (waitMs > 0) {
      flow.stopTimer = timing.after(waitMs, () => advance(flow, timing));
      return;
    }
    waiting.shift();
    pass(flow, turn);
  }
}

/** Sends the bytes that the plan permits, or queues them for the uplink, which may grant fewer. */
function pass({ bucket, uplink }: Flow, turn: Turn): void {
  if (!uplink) return settle(turn, turn.taken);
  turn.leaveUplink = uplink.queue(
    turn.taken,
    (bytes) => {
      bucket.take(bytes - turn.taken);
      settle(turn, bytes);
    },
    turn.isFirst,
  );
}

function settle(turn: Turn, bytes: number): void {
  turn.taken = 0;
  turn.grant(bytes);
}

/** A client that leaves while waiting gets its bytes refunded, and the turns behind it need not wait for it. */
function leave(flow: Flow, turn: Turn, timing: Timing): void {
  const place = flow.waiting.indexOf(turn);
  if (place >= 0) flow.waiting.splice(place, 1);
  turn.leaveUplink?.();
  if (turn.taken === 0) return;
  flow.bucket.take(-turn.taken);
  turn.taken = 0;
  advance(flow, timing);
}
