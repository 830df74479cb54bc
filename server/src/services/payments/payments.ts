/** The provider that charges for plans. Its state is the truth; this server keeps a copy. */
import type { Offer } from '@holdfast/contract/src/plans.ts';

export interface ProviderSubscription {
  readonly id: string;
  /** The best plan bought with it; null if its price is not one of the configured ones. */
  readonly offer: Offer | null;
  /** Number of plans paid for in it. Only the best one counts. */
  readonly times: number;
  /** `pending` before the first payment, and `past_due` while a failed one is retried. */
  readonly status: 'pending' | 'active' | 'past_due' | 'ended';
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
  /** Their earlier customer id, which the provider no longer knows. */
  readonly before: string | null;
}

export interface PayingCustomer extends Pick<CheckoutBuyer, 'accountId' | 'serviceId'> {
  readonly id: string;
}

/** An offer whose price at the provider differs from the plan's. */
export interface WrongPrice {
  readonly offer: Offer;
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
  /** Offers for sale, without those with a wrong price. */
  readonly offers: readonly Offer[];
  /** Found by the last `checkPrices`, or when one of them was about to be paid. */
  readonly wrongPrices: readonly WrongPrice[];
  checkPrices(): Promise<readonly WrongPrice[]>;
  /** Returns the buyer's customer: an existing one that was created for them, or a new one. */
  customerFor(buyer: CheckoutBuyer): Promise<string>;
  /** Lists customers that `customerFor` created, in any service, and that pay; one may be listed twice. */
  payingCustomers(): AsyncIterable<PayingCustomer>;
  /**
   * Returns the address where the customer pays for `offer`. An open checkout for it is reused, any other is closed.
   * @throws {NotForSale} when its price is wrong: no customer ever pays a price other than the plan's.
   */
  checkout(
    customerId: string,
    offer: Offer,
    back: { readonly paid: string; readonly canceled: string },
  ): Promise<string>;
  /** Closes the customer's open checkouts, which can then no longer be paid. Returns their number. */
  closeCheckouts(customerId: string): Promise<number>;
  /** Returns the address where a customer manages their subscriptions. */
  portal(customerId: string, returnTo: string): Promise<string>;
  /** Returns all subscriptions of a customer, whatever their status; none for a customer deleted at the provider. */
  subscriptions(customerId: string): Promise<readonly ProviderSubscription[]>;
  /** Ends a subscription at once, without a refund. It is idempotent. */
  cancel(subscriptionId: string): Promise<void>;
  /** @throws {ForgedEvent} when the signature does not match the body or is too old. */
  readEvent(body: Buffer, signature: string | undefined): PaymentEvent;
}

export class PaymentsUnavailable extends Error {
  constructor(cause?: unknown, message = 'The payment provider returned an unexpected response') {
    super(message, { cause });
    this.name = 'PaymentsUnavailable';
  }
}

/** The provider still knows deleted customers, so this one belongs to another account or mode of it. */
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
  override readonly name = 'NotForSale';
}

export class ForgedEvent extends Error {
  constructor(why: string) {
    super(`This is not an event of the payment provider: ${why}`);
    this.name = 'ForgedEvent';
  }
}

const refuse = async () => {
  throw new PaymentsUnavailable();
};

/** Sells nothing. */
export const noPayments: Payments = {
  offers: [],
  wrongPrices: [],
  checkPrices: async () => [],
  customerFor: refuse,
  payingCustomers: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
  checkout: refuse,
  closeCheckouts: refuse,
  portal: refuse,
  subscriptions: refuse,
  cancel: refuse,
  readEvent() {
    throw new ForgedEvent('none is expected');
  },
};
