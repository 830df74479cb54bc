import { unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import type { Pace } from '../http/bytes/send-response.ts';
import { seconds } from '../lib/clock.ts';
import { createTokenBucket, type TokenBucket } from '../lib/token-bucket.ts';
import { type Egress, leastPiece, type SpeedPlan, type UplinkFlow } from './egress.ts';
import type { Burst } from './preview-bursts.ts';
import { systemTiming, type Timing } from './timing.ts';

export interface Throttle extends Disposable {
  /**
   * Returns the pace of one response, valid until it is disposed, or null if nothing limits it. Bytes of a burst do not
   * wait for the plan's speed, and do not count for it.
   */
  open(client: string, what: string, plan: SpeedPlan, burst?: Burst | null): OpenPace | null;
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

type Source = TokenBucket | Burst;

/** A client that does not read must not hold a large buffer. */
const largestBurstPiece = 64 * 1024;

/** A response, which waits for one piece at a time. */
interface Turn {
  wanted: number;
  isFirst: boolean;
  grant: (bytes: number) => void;
  /** Bytes it has taken for the next piece. */
  taken: number;
  /** What it took them from: the bucket of its flow, or a burst. */
  source: Source;
  leaveUplink: (() => void) | null;
}

interface Flow {
  /** In bytes per second. */
  readonly speed: number;
  /** Open responses. */
  users: number;
  readonly bucket: TokenBucket;
  readonly uplink: UplinkFlow | null;
  /** Only the first of them has taken bytes from the bucket, and waits until the debt is paid. */
  readonly waiting: Turn[];
  /** Releases the turns whose bytes are paid for. It exists once, because a thousand slow downloads call it often. */
  readonly advance: () => void;
  stopTimer: (() => void) | null;
}

/** Returns the speed of a plan in bytes per second. */
export const planSpeed = ({ maxDownloadMbps }: SpeedPlan): number =>
  maxDownloadMbps >= unlimitedMbps ? Infinity : maxDownloadMbps * 125_000;

/**
 * One bucket per client address and file, shared by all connections between them, at the speed of the owner's plan.
 * Bytes that pass it compete for the uplink if `egress` limits it. Each process has its own buckets.
 */
export function openThrottle(egress: Egress | null, timing: Timing = systemTiming): Throttle {
  const flows = new Map<string, Flow>();
  // A bucket outlives its connections until its debt is paid, so that a client gains nothing by reconnecting.
  const sweep = setInterval(() => {
    for (const [key, { users, bucket }] of flows) if (users === 0 && bucket.isFull()) flows.delete(key);
  }, sweepEvery);
  sweep.unref();

  const findFlow = (key: string, plan: SpeedPlan, speed: number): Flow => {
    const known = flows.get(key);
    if (known) return known;
    const bucket = createTokenBucket(speed, () => timing.now());
    const uplink = egress?.openFlow(plan) ?? null;
    const fresh: Flow = {
      speed,
      bucket,
      uplink,
      users: 0,
      waiting: [],
      advance: () => release(fresh, timing),
      stopTimer: null,
    };
    flows.set(key, fresh);
    return fresh;
  };
  return {
    open(client, what, plan, burst = null) {
      const speed = planSpeed(plan);
      if (speed === Infinity && !egress) return null;
      return openPace(findFlow(`${client} ${what} ${plan.level} ${speed}`, plan, speed), burst);
    },
    [Symbol.dispose]() {
      clearInterval(sweep);
      for (const { stopTimer } of flows.values()) stopTimer?.();
    },
  };
}

function openPace(flow: Flow, burst: Burst | null): OpenPace {
  const { bucket, uplink } = flow;
  const turn: Turn = { wanted: 0, isFirst: true, grant: () => {}, taken: 0, source: bucket, leaveUplink: null };
  const leaveQueue = () => leave(flow, turn);
  flow.users += 1;
  return {
    takeAtOnce(bytes) {
      const source = burst && burst.level() >= bytes ? burst : bucket;
      if (source.level() < bytes || uplink?.takeAtOnce(bytes) === false) return false;
      source.take(bytes);
      return true;
    },
    queue(wanted, grant) {
      turn.wanted = wanted;
      turn.grant = grant;
      turn.source = bucket;
      if (burst && burst.level() > 0) passBurst(flow, turn, burst);
      else if (turn.isFirst && mayStart(flow, turn)) pass(flow, turn);
      else {
        flow.waiting.push(turn);
        // With other turns before it, nothing changes for the first of them.
        if (flow.waiting.length === 1) flow.advance();
      }
      return leaveQueue;
    },
    giveBack(bytes) {
      turn.source.take(-bytes);
      uplink?.giveBack(bytes);
      flow.advance();
    },
    [Symbol.dispose]: () => void (flow.users -= 1),
  };
}

/** Takes the next piece from the burst. Only the uplink may make it wait. */
function passBurst(flow: Flow, turn: Turn, burst: Burst): void {
  turn.source = burst;
  turn.taken = Math.min(turn.wanted, burst.level(), largestBurstPiece);
  burst.take(turn.taken);
  pass(flow, turn);
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
    pass(flow, turn);
  }
}

/** Sends the bytes that the turn has taken, or queues them for the uplink, which may grant fewer. */
function pass(flow: Flow, turn: Turn): void {
  const { uplink } = flow;
  if (!uplink) return settle(turn, turn.taken);
  turn.leaveUplink = uplink.queue(
    turn.taken,
    (bytes) => {
      turn.source.take(bytes - turn.taken);
      settle(turn, bytes);
    },
    turn.isFirst,
  );
}

function settle(turn: Turn, bytes: number): void {
  turn.taken = 0;
  turn.isFirst = false;
  turn.grant(bytes);
}

/** A client that leaves while waiting gets its bytes refunded, and the turns behind it need not wait for it. */
function leave(flow: Flow, turn: Turn): void {
  const place = flow.waiting.indexOf(turn);
  if (place >= 0) flow.waiting.splice(place, 1);
  turn.leaveUplink?.();
  if (turn.taken === 0) return;
  turn.source.take(-turn.taken);
  turn.taken = 0;
  flow.advance();
}
