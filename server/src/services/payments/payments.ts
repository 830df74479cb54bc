/** The provider that charges for plans. Its state is the truth; this server keeps a copy. */
import type { Offer } from '@holdfast/contract/src/plans.ts';

/** Snapshot of one subscription at the provider. */
export interface ProviderSubscription {
  readonly id: string;
  /** The best plan bought with it; null if its price is not one of the configured ones. */
  readonly offer: Offer | null;
  /** Number of plans paid for in it. Only the best one counts; the others have no effect. */
  readonly times: number;
  /**
   * `pending` until the first payment has arrived: it grants nothing yet. `past_due` while a failed payment is being
   * retried. `ended` when nothing is owed or granted any more.
   */
  readonly status: 'pending' | 'active' | 'past_due' | 'ended';
  /** In milliseconds since the epoch, like all times here. */
  readonly createdAt: number;
  readonly periodEndsAt: number;
  /** Ends at `periodEndsAt` instead of being renewed. */
  readonly endsWithPeriod: boolean;
}

export interface CheckoutBuyer {
  readonly accountId: string;
  readonly email: string;
  /** Tells services at one provider account apart; null if this one has no id. */
  readonly serviceId: string | null;
  /** Their earlier customer id, which the provider no longer knows; null if there is none. */
  readonly before: string | null;
}

/** A customer of a service of this kind, with a subscription. */
export interface PayingCustomer {
  readonly id: string;
  /** The account it was created for. */
  readonly accountId: string;
  /** The service that created it; null if that service had no id. */
  readonly serviceId: string | null;
}

export interface CheckoutReturn {
  readonly paid: string;
  readonly canceled: string;
}

/** An offer whose price at the provider differs from the plan's. */
export interface WrongPrice {
  readonly offer: Offer;
  /** Id of the price at the provider. */
  readonly id: string;
  /** Description with both amounts. */
  readonly problem: string;
}

export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  /** The customer whose state may have changed; null for events that concern no customer. */
  readonly customerId: string | null;
}

/** Every method may fail with `PaymentsUnavailable`; those about a customer also with `UnknownCustomer`. */
export interface Payments {
  /** Offers for sale; empty if there are none. Excludes offers with a wrong price. */
  readonly offers: readonly Offer[];
  /** Found by the last `checkPrices`, or when one of them was about to be paid. */
  readonly wrongPrices: readonly WrongPrice[];
  /**
   * Compares the offers with the provider's prices: amount, currency, period, and whether they can be bought at all.
   */
  checkPrices(): Promise<readonly WrongPrice[]>;
  /** Returns the buyer's customer: an existing one that was created for them, or a new one. */
  customerFor(buyer: CheckoutBuyer): Promise<string>;
  /** Lists customers that `customerFor` created, in any service, and that pay; one may be listed twice. */
  payingCustomers(): AsyncIterable<PayingCustomer>;
  /**
   * Returns the address where the customer pays for `offer`. An open checkout for the same offer is reused, and any
   * other is closed first.
   * @throws {NotForSale} when its price is wrong: no customer ever pays a price other than the plan's.
   */
  checkout(customerId: string, offer: Offer, back: CheckoutReturn): Promise<string>;
  /** Closes the customer's open checkouts, which can then no longer be paid. Returns their number. */
  closeCheckouts(customerId: string): Promise<number>;
  /** Returns the address where a customer manages their subscriptions. */
  portal(customerId: string, returnTo: string): Promise<string>;
  /** Returns all subscriptions of a customer, whatever their status; none for a customer deleted at the provider. */
  subscriptions(customerId: string): Promise<readonly ProviderSubscription[]>;
  /** Ends a subscription at once, without a refund. It is idempotent. */
  cancel(subscriptionId: string): Promise<void>;
  /**
   * Parses the event in the raw body of a webhook call.
   * @throws {ForgedEvent} when the signature does not match the body or is too old.
   */
  readEvent(body: Buffer, signature: string | undefined): PaymentEvent;
}

export class PaymentsUnavailable extends Error {
  constructor(cause?: unknown, message = 'The payment provider returned an unexpected response') {
    super(message, { cause });
    this.name = 'PaymentsUnavailable';
  }
}

/**
 * The provider still knows deleted customers, so the keys in use belong to another account or mode of it, or did when the
 * customer was created.
 */
export class UnknownCustomer extends PaymentsUnavailable {
  constructor(customerId: string, cause?: unknown) {
    super(
      cause,
      `The payment provider does not know the customer ${customerId}. Are these the keys of another account?`,
    );
    this.name = 'UnknownCustomer';
  }
}

export class NotForSale extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'NotForSale';
  }
}

export class ForgedEvent extends Error {
  constructor(why: string) {
    super(`This is not an event of the payment provider: ${why}`);
    this.name = 'ForgedEvent';
  }
}
