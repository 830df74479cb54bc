import { type PlanLevel, planLevels } from '@holdfast/contract/src/plans.ts';
import { createTokenBucket } from '../lib/token-bucket.ts';

/** Shares a limited uplink between the plans. */
export interface Egress {
  /** Takes bytes for a file of this plan from the uplink, and answers in how many milliseconds they may go. */
  take(level: PlanLevel, bytes: number): number;
  /** How fast one bucket of this plan may be now; `planSpeed` is Infinity for a plan without a limit. */
  speedOf(level: PlanLevel, planSpeed: number): number;
  /** Looks at what was sent since the last time, and shrinks or gives back. To be called every `adjustEveryMs`. */
  adjust(): void;
}

export const adjustEveryMs = 250;
/** The load that is aimed at, as a part of the capacity: what is above it queues in the network. */
const aim = 0.95;
/** No plan is shrunk to nothing. A plan without a limit is measured by the whole uplink, so its part may be less. */
const leastShare = { limited: 0.1, unlimited: 0.01 };
/** How much of a gap is closed at each adjustment, since what was measured last is a little late and uneven. */
const damping = 0.5;
const mostGrowth = 1.25;
/** Weight of the newest measurement in the running average of what a plan sends. */
const newest = 0.5;

/**
 * As the load nears `mbps` the Free plan shrinks first, then the others in their order, and they recover in the
 * opposite order as soon as there is room (decisions section 1, EGRESS_MBPS). Until that has come about, one bucket
 * for everything keeps the total below the capacity, and what queues for it counts as load.
 */
export function createEgress(mbps: number, now: () => number = () => performance.now()): Egress {
  const capacity = mbps * 125_000;
  const uplink = createTokenBucket(() => capacity, now);
  const tiers = planLevels.map((level) => ({ level, share: 1, sent: 0, speed: 0 }));
  const tierOf = new Map(tiers.map((tier) => [tier.level, tier]));
  const floorOf = ({ level }: { level: PlanLevel }) => (level === 'power' ? leastShare.unlimited : leastShare.limited);

  const shrink = (excess: number) => {
    let left = excess * damping;
    for (const tier of tiers) {
      if (left <= 0 || tier.speed === 0) continue;
      const share = Math.max(floorOf(tier), tier.share * Math.max(0, 1 - left / tier.speed));
      left -= tier.speed * (1 - share / tier.share);
      tier.share = share;
    }
  };
  const giveBack = (room: number) => {
    let left = room * damping;
    for (const tier of tiers.toReversed()) {
      if (left <= 0 || tier.share === 1) continue;
      const growth = tier.speed === 0 ? mostGrowth : Math.min(mostGrowth, 1 + left / tier.speed);
      left -= tier.speed * (growth - 1);
      tier.share = Math.min(1, tier.share * growth);
    }
  };
  return {
    take(level, bytes) {
      const tier = tierOf.get(level);
      if (tier) tier.sent += bytes;
      return uplink.take(bytes);
    },
    /** A plan without a limit has the whole uplink and no more: beyond it there is nothing to give. */
    speedOf: (level, planSpeed) => (tierOf.get(level)?.share ?? 1) * Math.min(planSpeed, capacity),
    adjust() {
      for (const tier of tiers) {
        tier.speed += ((tier.sent * 1000) / adjustEveryMs - tier.speed) * newest;
        tier.sent = 0;
      }
      const queued = Math.max(0, -uplink.level());
      const excess = tiers.reduce((sum, { speed }) => sum + speed, 0) + queued - capacity * aim;
      if (excess > 0) shrink(excess);
      else giveBack(-excess);
    },
  };
}
