import type { Offer } from '@holdfast/contract/src/plans.ts';
import type { ProviderSubscription } from '../engines/payments/payments.ts';
import type { SubscriptionRow } from '../engines/database/schema.ts';
import { rank } from './effective-level.ts';

export interface PickedSubscription {
  /** The subscription that counts for the account; null if nothing is paid for. */
  readonly kept: LiveSubscription | null;
  /** Additional paid subscriptions, which must be canceled so that the user does not pay twice. */
  readonly surplus: readonly LiveSubscription[];
  /** Paid subscriptions at an unknown price, so their plan is unknown. */
  readonly unreadable: readonly ProviderSubscription[];
}

export interface LiveSubscription extends ProviderSubscription {
  readonly status: 'active' | 'past_due';
}

type Known = Pick<SubscriptionRow, 'subscription_id' | 'level' | 'period'>;

/**
 * `known` is the previous snapshot: the account's subscription keeps its plan even if the operator has removed its
 * price from the list.
 */
export function pickSubscription(subscriptions: readonly ProviderSubscription[], known: Known): PickedSubscription {
  const live = subscriptions.filter(isLive).map((each) => ({ ...each, offer: each.offer ?? offerBefore(each, known) }));
  const [kept, ...surplus] = live.filter(({ offer }) => offer !== null).toSorted(bestFirst);
  const unreadable = live.filter(({ offer }) => offer === null);
  return { kept: kept ?? unreadable[0] ?? null, surplus, unreadable };
}

const isLive = (each: ProviderSubscription): each is LiveSubscription =>
  each.status === 'active' || each.status === 'past_due';

function offerBefore({ id }: ProviderSubscription, { subscription_id, level, period }: Known): Offer | null {
  return id === subscription_id && level !== null && period !== null ? { level, period } : null;
}

/** Fully paid subscriptions first, then the better plan, then the older one. */
function bestFirst(a: LiveSubscription, b: LiveSubscription): number {
  const byStatus = Number(b.status === 'active') - Number(a.status === 'active');
  const byLevel = rank(b.offer?.level ?? 'free') - rank(a.offer?.level ?? 'free');
  return byStatus || byLevel || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}
