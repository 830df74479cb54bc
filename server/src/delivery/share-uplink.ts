import type { Peers } from '../engines/peers/peers.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import type { Timing } from './timing.ts';

/** What the flows of one plan, in one process, may use of the uplink, in bytes per second. */
export interface UplinkDemand {
  /** Position of the plan in the order of plans. */
  readonly rank: number;
  readonly floor: number;
  readonly ceiling: number;
}

/**
 * Returns the part of the uplink that one of several processes may use: as if one scheduler served all flows, first the
 * floors, then the better plans. What nobody wants is divided equally, so that a process whose load grows has some of it.
 */
export function allotUplink(
  speed: number,
  own: readonly UplinkDemand[],
  others: readonly (readonly UplinkDemand[])[],
): number {
  const all = [own, ...others].flat();
  const part = Math.min(1, speed / sumOf(all, floorOf));
  let mine = sumOf(own, floorOf) * part;
  let left = speed - sumOf(all, floorOf) * part;
  for (const rank of new Set(all.map((demand) => demand.rank).toSorted((a, b) => b - a))) {
    const wanted = sumOf(ofRank(all, rank), beyondFloor);
    const given = Math.min(left, wanted);
    if (wanted > 0) mine += (given * sumOf(ofRank(own, rank), beyondFloor)) / wanted;
    left -= given;
  }
  return mine + left / (1 + others.length);
}

const floorOf = ({ floor }: UplinkDemand) => floor;
const beyondFloor = ({ floor, ceiling }: UplinkDemand) => ceiling - floor;
const ofRank = (all: readonly UplinkDemand[], rank: number) => all.filter((demand) => demand.rank === rank);
const sumOf = (all: readonly UplinkDemand[], what: (demand: UplinkDemand) => number) =>
  all.reduce((sum, demand) => sum + what(demand), 0);

/**
 * Lowers the ceilings of flows that together used only `used` bytes per second although they could have had more: their
 * clients are slow. They may grow by a quarter until the next time.
 */
export function lowerCeilings(demands: readonly UplinkDemand[], used: number): UplinkDemand[] {
  const beyond = sumOf(demands, beyondFloor);
  const wanted = Math.max(0, used * 1.25 - sumOf(demands, floorOf));
  const part = beyond > 0 ? Math.min(1, wanted / beyond) : 0;
  return demands.map(({ rank, floor, ceiling }) => ({
    rank,
    floor,
    ceiling: Math.round(floor + (ceiling - floor) * part),
  }));
}

export interface UplinkSharing {
  readonly peers: Pick<Peers, 'exchange' | 'exchangeSoon' | 'isAlone'>;
  /** Processes of one region share an uplink. */
  readonly region: string;
}

interface Uplink {
  /** Of the whole uplink, in bytes per second. */
  readonly speed: number;
  readonly setSpeed: (bytesPerSecond: number) => void;
  readonly timing: Pick<Timing, 'now'>;
}

/** A process that uses so much of its part may want more. */
const usesAll = 0.9;
/** A process whose load begins has this part until the others know of it. */
const leastPart = 1 / 16;

/**
 * Divides the uplink among the processes of a region, about once a second, by what their flows want. Returns a function
 * that must be called with everything that a flow queues, takes or gives back, in bytes.
 */
export function shareUplink(
  { peers, region }: UplinkSharing,
  { speed, setSpeed, timing }: Uplink,
): (flow: UplinkDemand, bytes: number) => void {
  const key = sha256Hex(`uplink of ${region}`);
  let active = new Set<UplinkDemand>();
  let bytesUsed = 0;
  let since = timing.now();
  let part = speed;
  let wanted: readonly UplinkDemand[] = [];
  peers.exchange({
    own() {
      const now = timing.now();
      const used = bytesUsed / Math.max(0.001, (now - since) / 1_000);
      const most = byRank(active);
      wanted = used >= part * usesAll ? most : lowerCeilings(most, used);
      [active, bytesUsed, since] = [new Set(), 0, now];
      return new Map([[key, JSON.stringify(wanted)]]);
    },
    receive(others) {
      const notes = (others.get(key) ?? []).map((note) => JSON.parse(note) as UplinkDemand[]);
      part = peers.isAlone() ? speed : Math.max(speed * leastPart, allotUplink(speed, wanted, notes));
      setSpeed(part);
    },
  });
  return (flow, bytes) => {
    if (peers.isAlone()) return;
    if (active.size === 0 && wanted.length === 0) peers.exchangeSoon();
    active.add(flow);
    bytesUsed += bytes;
  };
}

function byRank(demands: ReadonlySet<UplinkDemand>): UplinkDemand[] {
  const sums = new Map<number, UplinkDemand>();
  for (const { rank, floor, ceiling } of demands) {
    const sum = sums.get(rank);
    sums.set(rank, { rank, floor: floor + (sum?.floor ?? 0), ceiling: ceiling + (sum?.ceiling ?? 0) });
  }
  return [...sums.values()];
}
