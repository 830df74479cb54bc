/** What the stand-in knows: customers, checkouts, subscriptions and events, in the shapes that Stripe's API has. */
import { randomBytes } from 'node:crypto';
import { billingPeriods, paidLevels } from '@holdfast/contract/src/plans.ts';
import { type Clock, days } from '../../lib/clock.ts';

export interface StandInCustomer {
  readonly id: string;
  readonly object: 'customer';
  readonly email: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created: number;
}

export interface StandInSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly mode: 'subscription';
  readonly customer: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly created: number;
  readonly expires_at: number;
  status: 'open' | 'complete' | 'expired';
  url: string | null;
  subscription: string | null;
  /** Not sent: what is bought. */
  readonly price: string;
}

export interface StandInSubscription {
  readonly id: string;
  readonly object: 'subscription';
  readonly customer: string;
  readonly created: number;
  status: string;
  cancel_at_period_end: boolean;
  cancel_at: number | null;
  readonly items: {
    readonly object: 'list';
    data: { id: string; price: { id: string }; current_period_start: number; current_period_end: number }[];
  };
}

export interface StandInEvent {
  readonly id: string;
  readonly type: string;
  /** The raw body, as it is sent each time. */
  readonly body: string;
}

export const standInPrices: readonly string[] = paidLevels.flatMap((level) =>
  billingPeriods.map((period) => `price_${level}_${period}`),
);

export type StandInState = ReturnType<typeof createStandInState>;

export function createStandInState(clock: Clock, onEvent: (event: StandInEvent) => void) {
  const customers = new Map<string, StandInCustomer>();
  const sessions = new Map<string, StandInSession>();
  const subscriptions = new Map<string, StandInSubscription>();
  const events: StandInEvent[] = [];
  const now = () => Math.floor(clock.now() / 1000);

  const tell = (type: string, object: object): StandInEvent => {
    const body = { id: newId('evt'), object: 'event', api_version: '2026-10-28.endive', created: now(), type };
    const event = { id: body.id, type, body: JSON.stringify({ ...body, livemode: false, data: { object } }, null, 2) };
    events.push(event);
    onEvent(event);
    return event;
  };

  const state = {
    customers,
    sessions,
    subscriptions,
    events,
    now,
    tell,
    /** As if the customer had paid for `price`. */
    subscribe(customer: string, price: string, status = 'active'): StandInSubscription {
      const item = { id: newId('si'), price: { id: price }, ...periodOf(price, now()) };
      const subscription: StandInSubscription = {
        id: newId('sub'),
        object: 'subscription',
        customer,
        created: now(),
        status,
        cancel_at_period_end: false,
        cancel_at: null,
        items: { object: 'list', data: [item] },
      };
      subscriptions.set(subscription.id, subscription);
      tell('customer.subscription.created', subscription);
      return subscription;
    },
    /** Changes a subscription and tells of it. */
    change(id: string, change: SubscriptionChange): StandInEvent {
      const subscription = subscriptions.get(id);
      if (!subscription) throw new Error(`there is no subscription ${id}`);
      if (change.price !== undefined)
        subscription.items.data = subscription.items.data.map((item) => ({
          ...item,
          price: { id: change.price ?? '' },
          ...periodOf(change.price ?? '', now()),
        }));
      if (change.status !== undefined) subscription.status = change.status;
      if (change.cancel_at !== undefined) subscription.cancel_at = change.cancel_at;
      if (change.cancel_at_period_end !== undefined) subscription.cancel_at_period_end = change.cancel_at_period_end;
      const ended = subscription.status === 'canceled';
      return tell(`customer.subscription.${ended ? 'deleted' : 'updated'}`, subscription);
    },
    /** As if the customer had paid at a checkout. */
    complete(session: StandInSession): StandInSubscription {
      if (session.status !== 'open') throw new Error(`the checkout is ${session.status}`);
      const subscription = state.subscribe(session.customer, session.price);
      Object.assign(session, { status: 'complete', url: null, subscription: subscription.id });
      tell('checkout.session.completed', session);
      return subscription;
    },
  };
  return state;
}

export interface SubscriptionChange {
  readonly price?: string;
  readonly status?: string;
  readonly cancel_at_period_end?: boolean;
  readonly cancel_at?: number;
}

function periodOf(price: string, from: number) {
  const length = days(price.endsWith('_yearly') ? 365 : 30) / 1000;
  return { current_period_start: from, current_period_end: from + length };
}

export const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`;
