import type { Peers } from '../engines/peers/peers.ts';
import { sha256Hex } from '../lib/derive-key.ts';

/** All connections on which one client downloads one file from this process. */
export interface PacedFlow {
  /** The plan's speed in bytes per second, for all processes together. */
  readonly speed: number;
  /** Open responses. */
  users: number;
  /** Whether a piece has waited for the plan's speed: shorter downloads are over before others could know of them. */
  isPaced: boolean;
  /** Whether a client has taken a piece, or waits for one, since this was last read. */
  readAndForgetActivity(): boolean;
  setRate(bytesPerSecond: number): void;
}

/**
 * Lets the pace of one client on one file hold for all processes: each gives its connections a part of the plan's speed
 * in proportion to their number. Connections whose clients take nothing do not count. A process that begins knows the
 * others at once, and they know of it within a second.
 */
export function sharePace(flows: ReadonlyMap<string, PacedFlow>, peers: Pick<Peers, 'exchange' | 'isAlone'>): void {
  let told = new Map<string, PacedFlow>();
  peers.exchange({
    own() {
      told = new Map();
      for (const [key, flow] of flows)
        if (flow.isPaced && flow.readAndForgetActivity() && flow.users > 0) told.set(sha256Hex(`pace of ${key}`), flow);
      return new Map([...told].map(([digest, { users }]) => [digest, String(users)]));
    },
    receive(others) {
      if (peers.isAlone()) for (const flow of flows.values()) flow.setRate(flow.speed);
      else
        for (const [digest, flow] of told) {
          const elsewhere = (others.get(digest) ?? []).reduce((sum, note) => sum + Number(note), 0);
          flow.setRate((flow.speed * flow.users) / Math.max(1, flow.users + elsewhere));
        }
    },
  });
}
