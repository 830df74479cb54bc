/** The payments port: who takes money for plans. The provider's state is the truth; what is kept here is a copy of it. */
import type { Offer } from '@holdfast/contract/src/plans.ts';

/** One subscription as the provider has it at the moment of asking. */
export interface ProviderSubscription {
  readonly id: string;
  /** What is bought with it, the best plan where there are more; null where its price is none of the configured ones. */
  readonly offer: Offer | null;
  /** How many plans are paid for in it. One counts, the best: more are paid for in vain. */
  readonly times: number;
  /**
   * `pending` until its first payment has come: it gives nothing yet. `past_due` while a payment failed and is tried
   * again. `ended` when nothing is owed or given any more.
   */
  readonly status: 'pending' | 'active' | 'past_due' | 'ended';
  /** Milliseconds since the epoch, as every time here. */
  readonly createdAt: number;
  readonly periodEndsAt: number;
  /** Ends at `periodEndsAt` instead of being renewed. */
  readonly endsWithPeriod: boolean;
}

export interface Buyer {
  readonly accountId: string;
  readonly email: string;
  /** Which service asks, so that two at one account of the provider are told apart; null where it has no id. */
  readonly serviceId: string | null;
  /** The customer that they were and that the provider does not know any more; null where they were none. */
  readonly before: string | null;
}

/** A customer that a service of this kind has made, as the provider has it. */
export interface ProviderCustomer {
  readonly id: string;
  /** The account that it was made for. */
  readonly accountId: string;
  /** The service that made it; null for one made by a service without an id. */
  readonly serviceId: string | null;
  readonly createdAt: number;
}

export interface CheckoutReturn {
  readonly paid: string;
  readonly canceled: string;
}

/** Something for sale whose price at the provider is not the plan's. */
export interface WrongPrice {
  readonly offer: Offer;
  /** Of the price at the provider. */
  readonly id: string;
  /** In words, with both figures. */
  readonly problem: string;
}

export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  /** Whose state may have changed; null for events that change nobody's. */
  readonly customerId: string | null;
}

/** Every promise may fail with `PaymentsUnavailable`; those about a customer with `UnknownCustomer` too. */
export interface Payments {
  /** What is for sale; empty where nothing is. What was found at a wrong price is not. */
  readonly offers: readonly Offer[];
  /** Found by the last `checkPrices`, or when one of them was to be paid. */
  readonly wrongPrices: readonly WrongPrice[];
  /** Compares what is sold with the provider's prices: amount, currency, period, and whether it can be bought at all. */
  checkPrices(): Promise<readonly WrongPrice[]>;
  /** The buyer's customer: the one that was made for them before, or a new one. */
  customerFor(buyer: Buyer): Promise<string>;
  /** Retrieves a customer; null for one that was deleted, is unknown to the provider, or was not made by `customerFor`. */
  customer(customerId: string): Promise<ProviderCustomer | null>;
  /**
   * All customers that `customerFor` made, by whatever service, or those of one account. What was made while they are read
   * may be missing, and of one account what was made in the last hour.
   */
  customers(accountId?: string): AsyncIterable<ProviderCustomer>;
  /**
   * Where the customer pays for `offer`. Their open checkout for the same is reused, and any other is closed first.
   * @throws {NotForSale} when its price is wrong: nobody ever pays another than the plan says.
   */
  checkout(customerId: string, offer: Offer, back: CheckoutReturn): Promise<string>;
  /** Closes the customer's open checkouts: from then on nothing can be paid by them. Answers how many there were. */
  closeCheckouts(customerId: string): Promise<number>;
  /** Where a customer manages what they pay for. */
  portal(customerId: string, returnTo: string): Promise<string>;
  /** All subscriptions of a customer, whatever their status; none of one who was deleted at the provider. */
  subscriptions(customerId: string): Promise<readonly ProviderSubscription[]>;
  /** Ends a subscription at once, without a refund. Ending what has ended is no error. */
  cancel(subscriptionId: string): Promise<void>;
  /**
   * Reads an event out of the raw body of a webhook call.
   * @throws {ForgedEvent} when the signature does not fit the body or is too old.
   */
  readEvent(body: Buffer, signature: string | undefined): PaymentEvent;
}

export class PaymentsUnavailable extends Error {
  constructor(cause?: unknown, message = 'The payment provider does not answer as it should') {
    super(message, { cause });
    this.name = 'PaymentsUnavailable';
  }
}

/**
 * The provider has never heard of this customer. One who went is still known there, so this says nothing about who pays:
 * the keys in use are those of another account at the provider, or were when the customer was made. For a caller that is about
 * to buy it is as if the provider were away; for what reads many customers it is an answer about one of them.
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
    super(`This is no event of the payment provider: ${why}`);
    this.name = 'ForgedEvent';
  }
}
