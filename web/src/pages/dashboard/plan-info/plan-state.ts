import type { AccountInfo, Subscription } from '@holdfast/contract/src/account.ts';

type Level = AccountInfo['level'];

/** How an account comes to the plan that it has. */
export type PlanState =
  | { readonly kind: 'free' }
  /** By the operator, and nobody pays. */
  | { readonly kind: 'granted' }
  | ({ readonly kind: 'renewing' } & Subscribed)
  | ({ readonly kind: 'ending' } & Subscribed)
  /** A payment failed; `until` is the last moment of the paid plan. */
  | ({ readonly kind: 'past-due'; readonly until: string } & Subscribed)
  | ({ readonly kind: 'lapsed'; readonly until: string } & Subscribed);

interface Subscribed {
  readonly subscription: Subscription;
  /** Whether the operator gave a larger plan than the one that is paid for. */
  readonly better: boolean;
}

export function planState(level: Level, subscription: Subscription | null, now: number): PlanState {
  if (!subscription) return { kind: level === 'Free' ? 'free' : 'granted' };
  const { status, period_ends, grace_ends, ends_with_period } = subscription;
  const better = levels.indexOf(level) > levels.indexOf(subscription.level);
  if (status === 'past_due') {
    const until = grace_ends ?? period_ends;
    return { kind: Date.parse(until) > now ? 'past-due' : 'lapsed', subscription, better, until };
  }
  return { kind: ends_with_period ? 'ending' : 'renewing', subscription, better };
}

const levels = ['Free', 'Starter', 'Basic', 'Advanced', 'Power'] as const satisfies readonly Level[];
