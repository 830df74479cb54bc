import { type PlanLevel, planLevels, plans, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import type { Pace } from '../http/send-answer.ts';
import { createTokenBucket } from '../lib/token-bucket.ts';
import { createHeap } from './heap.ts';
import { systemTiming, type Timing } from './timing.ts';

/** Schedules all downloads on an uplink of limited capacity. */
export interface Egress extends Disposable {
  /** A flow competes for the uplink as one, however many connections it has. */
  openFlow(level: PlanLevel): UplinkFlow;
}

export interface UplinkFlow extends Pace {
  /** The first piece of a response goes before the next pieces of other responses of the same flow. */
  queue(wanted: number, grant: (bytes: number) => void, isFirst?: boolean): () => void;
  /** Takes `bytes` if the uplink is free for all of them now, and else nothing. */
  takeAtOnce(bytes: number): boolean;
}

/** The part of the uplink that the bytes of files may fill. The headers of TCP, IP and Ethernet need the rest. */
const payloadPart = 0.95;
/**
 * The part of its plan's speed that a flow is assured of. For a plan without a limit, whose speed is the whole uplink,
 * the part is smaller.
 */
const floors = { limited: 0.1, unlimited: 0.01 };
/** When many wait, pieces are so small that each of them gets one within this time. */
const roundSeconds = 0.125;
/** No piece occupies the uplink for longer than this: a newcomer waits for one at the most. */
const pieceSeconds = 1 / 32;
/** A flow that had more than its floor is due again after this time at the latest. */
const mostSilenceMs = 250;
/** Smaller pieces cost more work than they spare time. */
export const leastPiece = 2 * 1024;

interface Turn {
  readonly wanted: number;
  readonly isFirst: boolean;
  grant(bytes: number): void;
}

interface Flow {
  /** Place of its plan in the order of plans. */
  readonly rank: number;
  /** Assured speed, in bytes per millisecond. */
  readonly floor: number;
  readonly turns: Turn[];
  /** When its floor entitles it to the next piece, in milliseconds. */
  dueAt: number;
  /** Bytes that it had beyond its floor, as start-time fair queueing counts them. */
  surplus: number;
  arrival: number;
}

/**
 * A hierarchical link-sharing scheduler: each flow has an assured speed, a plan that says who comes first for the rest,
 * and, in the throttle before it, a ceiling. One token bucket at the speed of the uplink says when the next piece may
 * go, and only then is decided whose it is:
 *
 * 1. the flow that has waited longest for a piece of its floor, if there is one;
 * 2. else a flow of the best plan that waits, and of these the one that had the least beyond its floor.
 *
 * So Free is slowed down first and recovers last, no flow gets less than its floor, and the uplink is never idle while
 * somebody waits. Floors that are more than the uplink together are smaller in proportion. A newcomer is due at once,
 * and only other newcomers are before it.
 */
export function createEgress(mbps: number, timing: Timing = systemTiming): Egress {
  const capacity = mbps * 125_000;
  const speed = capacity * payloadPart;
  const bucket = createTokenBucket(speed, () => timing.now());
  const waiting = createWaitingFlows(speed);
  let granting = false;
  let stopTimer: (() => void) | null = null;

  /** Grants as much as may go now, and comes back when more may. */
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
    openFlow(level) {
      const flow = createFlow(level, capacity);
      return {
        queue(wanted, grant, isFirst = false) {
          const turn = { wanted, isFirst, grant };
          const place = isFirst ? flow.turns.findIndex((each) => !each.isFirst) : -1;
          flow.turns.splice(place < 0 ? flow.turns.length : place, 0, turn);
          if (flow.turns.length === 1) waiting.add(flow, timing.now());
          // Nothing may go before the timer fires, and the loop that is granting sees this turn as well.
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

function createFlow(level: PlanLevel, capacity: number): Flow {
  const { maxDownloadMbps } = plans[level];
  const part = maxDownloadMbps >= unlimitedMbps ? floors.unlimited : floors.limited;
  const floor = (Math.min(maxDownloadMbps * 125_000, capacity) * part) / 1_000;
  return { rank: planLevels.indexOf(level), floor, turns: [], dueAt: -Infinity, surplus: 0, arrival: 0 };
}

/** The flows that have turns, in both orders. `speed` is that of the uplink, in bytes per second. */
function createWaitingFlows(speed: number) {
  const byDueTime = createHeap<Flow>((a, b) => (a.dueAt - b.dueAt || a.arrival - b.arrival) < 0);
  const byPlan = createHeap<Flow>((a, b) => (b.rank - a.rank || a.surplus - b.surplus || a.arrival - b.arrival) < 0);
  /** Surplus of the flow of each plan that was served last: a flow that was idle does not catch up with less. */
  const reached = planLevels.map(() => 0);
  /** The floors of all flows that wait, in bytes per millisecond. */
  let assured = 0;
  let arrivals = 0;

  const add = (flow: Flow, now: number) => {
    // When others have waited beyond their time already, a newcomer is not before them, but not behind them either.
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
  /** For how long a flow has had its floor with so many bytes. */
  const floorMs = ({ floor }: Flow, bytes: number) => (bytes / floor) * Math.max(1, (assured * 1_000) / speed);
  return {
    get size() {
      return byDueTime.size;
    },
    add,
    remove,
    /** Takes out the turn that is served next, and says how many bytes it gets. Null when nobody waits. */
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
