import { type Plan, planLevels, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import type { Pace } from '../http/bytes/send-response.ts';
import { createTokenBucket } from '../lib/token-bucket.ts';
import { createHeap } from './heap.ts';
import { systemTiming, type Timing } from './timing.ts';

/** What decides how fast an owner's files are sent. */
export type SpeedPlan = Pick<Plan, 'level' | 'maxDownloadMbps'>;

/** Schedules all downloads on an uplink of limited capacity. */
export interface Egress extends Disposable {
  /** A flow competes for the uplink as a unit, however many connections it has. */
  openFlow(plan: SpeedPlan): UplinkFlow;
}

export interface UplinkFlow extends Pace {
  /** The first piece of a response goes before later pieces of other responses in the same flow. */
  queue(wanted: number, grant: (bytes: number) => void, isFirst?: boolean): () => void;
  /** Takes `bytes` if the uplink is free for all of them now, otherwise nothing. */
  takeAtOnce(bytes: number): boolean;
}

/** Share of the uplink available to file bytes. TCP, IP and Ethernet headers need the rest. */
const payloadPart = 0.95;
/**
 * Share of its plan's speed that a flow is guaranteed. It is smaller for a plan without a limit, whose speed is the
 * whole uplink.
 */
const floors = { limited: 0.1, unlimited: 0.01 };
/** If many flows wait, pieces shrink so that each flow gets one within this time. */
const roundSeconds = 0.125;
/** No piece occupies the uplink for longer than this, so a new flow waits for at most one piece. */
const pieceSeconds = 1 / 32;
/** A flow that got more than its floor is due again after at most this time. */
const mostSilenceMs = 250;
/** Smaller pieces cost more work than the time they save. */
export const leastPiece = 2 * 1024;

interface Turn {
  readonly wanted: number;
  readonly isFirst: boolean;
  grant(bytes: number): void;
}

interface Flow {
  /** Position of its plan in the order of plans. */
  readonly rank: number;
  /** Guaranteed speed, in bytes per millisecond. */
  readonly floor: number;
  readonly turns: Turn[];
  /** Time at which its floor entitles it to the next piece, in milliseconds. */
  dueAt: number;
  /** Bytes it got beyond its floor, counted as in start-time fair queueing. */
  surplus: number;
  arrival: number;
}

/**
 * A hierarchical link-sharing scheduler: each flow has a guaranteed speed (its floor), a plan that sets its priority
 * for the rest, and a ceiling, set by the throttle before it. A token bucket at the speed of the uplink decides when
 * the next piece may go. Only then does the scheduler choose its flow:
 *
 * 1. the flow that has waited longest for a piece of its floor, if there is one;
 * 2. otherwise a flow of the best waiting plan, and of these the one that got the least beyond its floor.
 *
 * So Free is slowed down first and recovers last, each flow gets at least its floor, and the uplink is never idle while
 * a flow waits. If the floors together exceed the uplink, they shrink in proportion. A new flow is due at once, and
 * only other new flows go before it.
 */
export function createEgress(mbps: number, timing: Timing = systemTiming): Egress {
  const capacity = mbps * 125_000;
  const speed = capacity * payloadPart;
  const bucket = createTokenBucket(speed, () => timing.now());
  const waiting = createWaitingFlows(speed);
  let granting = false;
  let stopTimer: (() => void) | null = null;

  /** Grants all pieces that may go now, and sets a timer for the next. */
  const grantTurns = () => {
    stopTimer?.();
    stopTimer = null;
    granting = true;
    for (;;) {
      const waitMs = bucket.take(0);
      const next = waitMs > 0 ? null : waiting.takeNext(timing.now());
      if (waitMs > 0 && waiting.size > 0) stopTimer = timing.after(waitMs, grantTurns);
      if (!next) break;
      bucket.take(next.bytes);
      next.turn.grant(next.bytes);
    }
    granting = false;
  };
  return {
    openFlow(plan) {
      const flow = createFlow(plan, capacity);
      return {
        queue(wanted, grant, isFirst = false) {
          const turn = { wanted, isFirst, grant };
          const place = isFirst ? flow.turns.findIndex((each) => !each.isFirst) : -1;
          flow.turns.splice(place < 0 ? flow.turns.length : place, 0, turn);
          if (flow.turns.length === 1) waiting.add(flow, timing.now());
          // Nothing may go before the timer fires, and a running grant loop sees this turn as well.
          if (!stopTimer && !granting) grantTurns();
          return () => {
            const at = flow.turns.indexOf(turn);
            if (at < 0) return;
            flow.turns.splice(at, 1);
            if (flow.turns.length === 0) waiting.remove(flow);
          };
        },
        giveBack(bytes) {
          bucket.take(-bytes);
          if (!granting) grantTurns();
        },
        takeAtOnce(bytes) {
          if (bucket.level() < bytes) return false;
          bucket.take(bytes);
          return true;
        },
      };
    },
    [Symbol.dispose]: () => stopTimer?.(),
  };
}

function createFlow({ level, maxDownloadMbps }: SpeedPlan, capacity: number): Flow {
  const part = maxDownloadMbps >= unlimitedMbps ? floors.unlimited : floors.limited;
  const ceiling = Math.min(maxDownloadMbps * 125_000, capacity);
  const rank = planLevels.indexOf(level);
  return { rank, floor: (ceiling * part) / 1_000, turns: [], dueAt: -Infinity, surplus: 0, arrival: 0 };
}

/** The flows with queued turns, in both orders. `speed` is that of the uplink, in bytes per second. */
function createWaitingFlows(speed: number) {
  const byDueTime = createHeap<Flow>((a, b) => (a.dueAt - b.dueAt || a.arrival - b.arrival) < 0);
  const byPlan = createHeap<Flow>((a, b) => (b.rank - a.rank || a.surplus - b.surplus || a.arrival - b.arrival) < 0);
  /** Surplus of the last served flow of each plan: a flow that was idle starts no lower, so it does not catch up. */
  const reached = planLevels.map(() => 0);
  /** Sum of the floors of all waiting flows, in bytes per millisecond. */
  let assured = 0;
  let arrivals = 0;

  const add = (flow: Flow, now: number) => {
    // If other flows are already overdue, a new flow goes neither before nor behind them.
    flow.dueAt = Math.max(flow.dueAt, Math.min(now, byDueTime.first()?.dueAt ?? now));
    flow.surplus = Math.max(flow.surplus, reached[flow.rank] ?? 0);
    flow.arrival = arrivals += 1;
    byDueTime.add(flow);
    byPlan.add(flow);
    assured += flow.floor;
  };
  const remove = (flow: Flow) => {
    byDueTime.remove(flow);
    byPlan.remove(flow);
    // A sum of fractions drifts.
    assured = byDueTime.size === 0 ? 0 : assured - flow.floor;
  };
  const mostFor = ({ floor }: Flow, isDue: boolean) => {
    const fairPiece = Math.min(speed * pieceSeconds, (speed * roundSeconds) / byDueTime.size);
    return Math.max(leastPiece, Math.floor(isDue ? Math.min(fairPiece, floor * 1_000 * roundSeconds) : fairPiece));
  };
  /** The time for which this number of bytes covers a flow's floor. */
  const floorMs = ({ floor }: Flow, bytes: number) => (bytes / floor) * Math.max(1, (assured * 1_000) / speed);
  return {
    get size() {
      return byDueTime.size;
    },
    add,
    remove,
    /** Removes the turn to serve next and returns it with its number of bytes. Returns null if no flow waits. */
    takeNext(now: number): { readonly turn: Turn; readonly bytes: number } | null {
      const due = byDueTime.first();
      const isDue = due !== undefined && due.dueAt <= now && byDueTime.size > 1;
      const flow = isDue ? due : byPlan.first();
      const turn = flow?.turns.shift();
      if (!flow || !turn) return null;
      const bytes = Math.min(turn.wanted, mostFor(flow, isDue));
      if (isDue) flow.dueAt += floorMs(flow, bytes);
      else {
        reached[flow.rank] = flow.surplus;
        flow.surplus += bytes;
        flow.dueAt = now + Math.min(floorMs(flow, bytes), mostSilenceMs);
      }
      remove(flow);
      if (flow.turns.length > 0) add(flow, now);
      return { turn, bytes };
    },
  };
}
