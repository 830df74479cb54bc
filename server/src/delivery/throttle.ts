import { type Plan, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { seconds } from '../lib/clock.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';
import type { Burst } from './download-bursts.ts';
import type { Pace } from './send-response.ts';

export interface Timing {
  now(): number;
  after(ms: number, act: () => void): () => void;
}

const systemTiming: Timing = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

type SpeedPlan = Pick<Plan, 'level' | 'maxDownloadMbps'>;

export interface Throttle extends Disposable {
  /** Null if nothing limits the response. */
  open(client: string, what: string, plan: SpeedPlan, burst?: Burst | null): OpenPace | null;
}

export interface OpenPace extends Pace, Disposable {
  takeAtOnce(bytes: number): boolean;
}

const pieceSeconds = 0.125;
/** Smaller pieces cost more work than the time they save. */
const leastPiece = 2 * 1024;
/** A response starts at once unless its bucket's debt exceeds this. */
const firstMayOweMs = 250;
const largestBurstPiece = 64 * 1024;
const sweepEvery = seconds(1);

interface Turn {
  wanted: number;
  isFirst: boolean;
  grant: (bytes: number) => void;
  taken: number;
  source: TokenBucket | Burst;
}

interface Flow {
  readonly speed: number;
  users: number;
  readonly bucket: TokenBucket;
  /** Only the first of them has taken bytes from the bucket, and waits until the debt is paid. */
  readonly waiting: Turn[];
  readonly advance: () => void;
  stopTimer: (() => void) | null;
}

export const planSpeed = ({ maxDownloadMbps }: SpeedPlan): number =>
  maxDownloadMbps >= unlimitedMbps ? Infinity : maxDownloadMbps * 125_000;

/** One bucket per client address and file, shared by all their connections. */
export function openThrottle(timing: Timing = systemTiming): Throttle {
  const flows = new Map<string, Flow>();
  // A bucket outlives its connections until its debt is paid: nobody gains by reconnecting.
  const sweep = setInterval(() => {
    for (const [key, { users, bucket }] of flows) if (users === 0 && bucket.isFull()) flows.delete(key);
  }, sweepEvery).unref();

  const findFlow = (key: string, speed: number): Flow => {
    const known = flows.get(key);
    if (known) return known;
    const bucket = createTokenBucket(speed, () => timing.now());
    const advance = () => release(fresh, timing);
    const fresh: Flow = { speed, bucket, users: 0, waiting: [], advance, stopTimer: null };
    flows.set(key, fresh);
    return fresh;
  };
  return {
    open(client, what, plan, burst = null) {
      const speed = planSpeed(plan);
      return speed === Infinity ? null : openPace(findFlow(`${client} ${what} ${plan.level} ${speed}`, speed), burst);
    },
    [Symbol.dispose]() {
      clearInterval(sweep);
      for (const { stopTimer } of flows.values()) stopTimer?.();
    },
  };
}

function openPace(flow: Flow, burst: Burst | null): OpenPace {
  const { bucket, waiting } = flow;
  const turn: Turn = { wanted: 0, isFirst: true, grant: () => {}, taken: 0, source: bucket };
  const leaveQueue = () => leave(flow, turn);
  flow.users += 1;
  return {
    takeAtOnce(bytes) {
      const source = [bucket, burst].find((each) => each && each.level() >= bytes);
      source?.take(bytes);
      return !!source;
    },
    queue(wanted, grant) {
      turn.wanted = wanted;
      turn.grant = grant;
      turn.source = burst && burst.level() > 0 ? burst : bucket;
      if (turn.source === burst ? takeBurst(turn, burst) : turn.isFirst && mayStart(flow, turn)) pass(turn);
      else if (waiting.push(turn) === 1) flow.advance();
      return leaveQueue;
    },
    giveBack(bytes) {
      turn.source.take(-bytes);
      flow.advance();
    },
    [Symbol.dispose]: () => void (flow.users -= 1),
  };
}

function takeBurst(turn: Turn, burst: Burst): true {
  turn.taken = Math.min(turn.wanted, burst.level(), largestBurstPiece);
  burst.take(turn.taken);
  return true;
}

function mayStart({ bucket }: Flow, turn: Turn): boolean {
  const bytes = Math.min(turn.wanted, Math.max(leastPiece, Math.floor(bucket.level())));
  if (bucket.take(bytes) > firstMayOweMs) {
    bucket.take(-bytes);
    return false;
  }
  turn.taken = bytes;
  return true;
}

function release(flow: Flow, timing: Timing): void {
  const { bucket, waiting, speed, users } = flow;
  flow.stopTimer?.();
  flow.stopTimer = null;
  for (let turn = waiting[0]; turn; turn = waiting[0]) {
    if (turn.taken === 0) {
      turn.taken = Math.min(turn.wanted, Math.max(leastPiece, Math.floor((speed * pieceSeconds) / users)));
      bucket.take(turn.taken);
    }
    const waitMs = bucket.take(0);
    if (waitMs > 0) {
      flow.stopTimer = timing.after(waitMs, flow.advance);
      return;
    }
    waiting.shift();
    pass(turn);
  }
}

function pass(turn: Turn): void {
  const bytes = turn.taken;
  turn.taken = 0;
  turn.isFirst = false;
  turn.grant(bytes);
}

/** A client that leaves while waiting gets its bytes refunded, and the turns behind it need not wait. */
function leave(flow: Flow, turn: Turn): void {
  const place = flow.waiting.indexOf(turn);
  if (place >= 0) flow.waiting.splice(place, 1);
  if (turn.taken === 0) return;
  turn.source.take(-turn.taken);
  turn.taken = 0;
  flow.advance();
}
