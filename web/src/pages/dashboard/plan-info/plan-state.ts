import type { Subscription } from '@holdfast/contract/src/account.ts';

/** The reason why an account has its plan. */
export type PlanState =
  | { readonly kind: 'free' }
  /** A subscription exists, but its price matches no plan of this site. */
  | { readonly kind: 'unnamed' }
  /** Granted by the operator, without a payment. */
  | { readonly kind: 'granted' }
  | ({ readonly kind: 'renewing' } & Subscribed)
  | ({ readonly kind: 'ending' } & Subscribed)
  /** A payment failed; `until` is the last moment of the paid plan. */
  | ({ readonly kind: 'past-due'; readonly until: string } & Subscribed)
  | ({ readonly kind: 'lapsed'; readonly until: string } & Subscribed);

interface Subscribed {
  readonly subscription: NamedSubscription;
  readonly better: boolean;
}

export interface NamedSubscription extends Subscription {
  readonly level: NonNullable<Subscription['level']>;
  readonly period: NonNullable<Subscription['period']>;
}

/** `names` are those of all plans, the best last. */
export function planState(
  level: string,
  subscription: Subscription | null,
  now: number,
  names: readonly string[],
): PlanState {
  if (!subscription) return { kind: level === names[0] ? 'free' : 'granted' };
  if (!isNamed(subscription)) return { kind: 'unnamed' };
  const { status, period_ends, grace_ends, ends_with_period } = subscription;
  const better = names.indexOf(level) > names.indexOf(subscription.level);
  if (status === 'past_due') {
    const until = grace_ends ?? period_ends;
    return { kind: Date.parse(until) > now ? 'past-due' : 'lapsed', subscription, better, until };
  }
  return { kind: ends_with_period ? 'ending' : 'renewing', subscription, better };
}

const isNamed = (subscription: Subscription): subscription is NamedSubscription =>
  subscription.level !== null && subscription.period !== null;
