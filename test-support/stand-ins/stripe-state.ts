/** State of the stand-in: customers, checkouts, subscriptions, invoices and events, in the shapes of Stripe's API. */
import { randomBytes } from 'node:crypto';
import { billingPeriods, paidLevels, standardPlans } from '@holdfast/contract/src/plans.ts';
import { type Clock, days } from '@holdfast/server/src/lib/clock.ts';

export interface StandInCustomer {
  readonly id: string;
  readonly object: 'customer';
  readonly email: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created: number;
  deleted?: true;
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
  /** The price that is bought; not part of Stripe's response. */
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
  latest_invoice: string;
  readonly items: {
    readonly object: 'list';
    data: readonly StandInItem[];
  };
}

export interface StandInInvoice {
  readonly id: string;
  readonly object: 'invoice';
  readonly customer: string;
  readonly parent: {
    readonly type: 'subscription_details';
    readonly subscription_details: { readonly subscription: string };
  };
  readonly amount_due: number;
  amount_paid: number;
  status: 'open' | 'paid';
}

interface StandInItem {
  readonly id: string;
  readonly price: { readonly id: string };
  readonly quantity: number | undefined;
  readonly current_period_start: number;
  readonly current_period_end: number;
}

export interface StandInEvent {
  readonly id: string;
  readonly type: string;
  /** The raw body, the same for each delivery. */
  readonly body: string;
}

export interface StandInPrice {
  readonly id: string;
  readonly object: 'price';
  active: boolean;
  currency: string;
  unit_amount: number | null;
  recurring: { interval: string; interval_count: number; usage_type: string } | null;
  readonly transform_quantity: null;
}

const allPrices = paidLevels.flatMap((level) =>
  billingPeriods.map((period): StandInPrice => ({
    id: `price_${level}_${period}`,
    object: 'price',
    active: true,
    currency: 'usd',
    unit_amount: standardPlans[level][period === 'monthly' ? 'monthlyCents' : 'yearlyCents'],
    recurring: { interval: period === 'monthly' ? 'month' : 'year', interval_count: 1, usage_type: 'licensed' },
    transform_quantity: null,
  })),
);

export const standInPrices: readonly string[] = allPrices.map(({ id }) => id);

export type StandInState = ReturnType<typeof createStandInState>;

export function createStandInState(clock: Pick<Clock, 'now'>, onEvent: (event: StandInEvent) => void) {
  const customers = new Map<string, StandInCustomer>();
  const sessions = new Map<string, StandInSession>();
  const subscriptions = new Map<string, StandInSubscription>();
  const invoices = new Map<string, StandInInvoice>();
  const prices = new Map(allPrices.map((price) => [price.id, structuredClone(price)]));
  const events: StandInEvent[] = [];
  const now = () => Math.floor(clock.now() / 1000);

  const tell = (type: string, object: object): StandInEvent => {
    const body = { id: newId('evt'), object: 'event', api_version: '2026-10-28.endive', created: now(), type };
    const event = { id: body.id, type, body: JSON.stringify({ ...body, livemode: false, data: { object } }, null, 2) };
    events.push(event);
    onEvent(event);
    return event;
  };

  const settle = (invoice: StandInInvoice | undefined) => {
    if (invoice?.status !== 'open') return;
    Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due });
    tell('invoice.paid', invoice);
  };

  /** Bills another period. Events of invoices that are not paid are left out. */
  const bill = (subscription: StandInSubscription) => {
    const { id, customer, status, items } = subscription;
    const invoice: StandInInvoice = {
      id: newId('in'),
      object: 'invoice',
      customer,
      parent: { type: 'subscription_details', subscription_details: { subscription: id } },
      amount_due: status === 'trialing' ? 0 : (prices.get(items.data[0]?.price.id ?? '')?.unit_amount ?? 100),
      amount_paid: 0,
      status: 'open',
    };
    invoices.set(invoice.id, invoice);
    subscription.latest_invoice = invoice.id;
    if (isSettled(status)) settle(invoice);
  };

  const state = {
    customers,
    sessions,
    subscriptions,
    invoices,
    prices,
    events,
    now,
    tell,
    /** Acts as if the customer had paid for `price`. */
    subscribe(customer: string, price: string, status = 'active'): StandInSubscription {
      const subscription: StandInSubscription = {
        id: newId('sub'),
        object: 'subscription',
        customer,
        created: now(),
        status,
        cancel_at_period_end: false,
        cancel_at: null,
        latest_invoice: '',
        items: { object: 'list', data: [itemOf(price, 1, now())] },
      };
      subscriptions.set(subscription.id, subscription);
      bill(subscription);
      tell('customer.subscription.created', subscription);
      return subscription;
    },
    /** Changes a subscription and emits an event. */
    change(id: string, change: SubscriptionChange): StandInEvent {
      const subscription = subscriptions.get(id);
      if (!subscription) throw new Error(`there is no subscription ${id}`);
      if (change.price !== undefined) subscription.items.data = [itemOf(change.price, 1, now())];
      if (change.items !== undefined)
        subscription.items.data = change.items.map(([price, quantity]) => itemOf(price, quantity, now()));
      if (change.status !== undefined) subscription.status = change.status;
      if (change.status === 'past_due' || change.status === 'unpaid') bill(subscription);
      // An invoice outlives a canceled subscription, and can still be paid.
      if (isSettled(subscription.status)) settle(invoices.get(subscription.latest_invoice));
      if (change.cancel_at !== undefined) subscription.cancel_at = change.cancel_at;
      if (change.cancel_at_period_end !== undefined) subscription.cancel_at_period_end = change.cancel_at_period_end;
      const ended = subscription.status === 'canceled';
      return tell(`customer.subscription.${ended ? 'deleted' : 'updated'}`, subscription);
    },
    /** Acts as if the customer had paid at the invoice's page, to which Stripe's emails link. */
    payInvoice(id: string): void {
      const invoice = invoices.get(id);
      if (invoice?.status !== 'open') throw new Error(`the invoice ${id} is not open`);
      settle(invoice);
      const { subscription } = invoice.parent.subscription_details;
      const own = subscriptions.get(subscription);
      if (own && own.status !== 'canceled' && own.latest_invoice === id) state.change(own.id, { status: 'active' });
    },
    /** Acts as if the customer had paid at a checkout. */
    complete(session: StandInSession): StandInSubscription {
      if (session.status !== 'open') throw new Error(`the checkout is ${session.status}`);
      const subscription = state.subscribe(session.customer, session.price);
      Object.assign(session, { status: 'complete', url: null, subscription: subscription.id });
      tell('checkout.session.completed', session);
      return subscription;
    },
    /** Acts like Stripe's dashboard: the customer's subscriptions end too. */
    deleteCustomer(id: string): void {
      const customer = customers.get(id);
      if (!customer) throw new Error(`there is no customer ${id}`);
      for (const each of subscriptions.values())
        if (each.customer === id && each.status !== 'canceled') state.change(each.id, { status: 'canceled' });
      customer.deleted = true;
      tell('customer.deleted', customer);
    },
  };
  return state;
}

const isSettled = (status: string): boolean => status === 'active' || status === 'trialing';

export interface SubscriptionChange {
  readonly price?: string;
  /** Prices and quantities, which only Stripe's dashboard and API can set. */
  readonly items?: readonly (readonly [price: string, quantity: number | undefined])[];
  readonly status?: string;
  readonly cancel_at_period_end?: boolean;
  readonly cancel_at?: number;
}

function itemOf(price: string, quantity: number | undefined, from: number): StandInItem {
  const length = days(price.endsWith('_yearly') ? 365 : 30) / 1000;
  return {
    id: newId('si'),
    price: { id: price },
    quantity,
    current_period_start: from,
    current_period_end: from + length,
  };
}

export const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`;
