/** The provider's state is the truth; this server keeps a copy. */
import type { Offer } from '@holdfast/contract/src/plans.ts';
import { minutes } from '../../lib/clock.ts';

/** Of an event. */
export const signatureIsValidFor = minutes(5);

export interface ProviderSubscription {
  readonly id: string;
  /** Null if a price in it is not one of the configured ones, or has no quantity. */
  readonly offer: Offer | null;
  /** Plans paid for in it. Only the best one counts. */
  readonly times: number;
  /** `pending` before the first payment, `past_due` while a failed one is retried. */
  readonly status: 'pending' | 'active' | 'past_due' | 'ended';
  readonly createdAt: number;
  readonly periodEndsAt: number;
  readonly endsWithPeriod: boolean;
  readonly latestInvoice: string | null;
}

export interface CheckoutBuyer {
  readonly accountId: string;
  readonly email: string;
  readonly serviceId: string | null;
  /** An id that the provider no longer knows. */
  readonly before: string | null;
}

export interface PayingCustomer extends Pick<CheckoutBuyer, 'accountId' | 'serviceId'> {
  readonly id: string;
}

export interface WrongPrice {
  readonly offer: Offer;
  readonly id: string;
  readonly problem: string;
}

export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  readonly customerId: string | null;
  /** An invoice that was paid, with money. */
  readonly paid: { readonly invoice: string; readonly at: number } | null;
}

/** Every method may fail with `PaymentsUnavailable`; those about a customer also with `UnknownCustomer`. */
export interface Payments {
  readonly offers: readonly Offer[];
  readonly wrongPrices: readonly WrongPrice[];
  checkPrices(): Promise<readonly WrongPrice[]>;
  customerFor(buyer: CheckoutBuyer): Promise<string>;
  payingCustomers(): AsyncIterable<PayingCustomer>;
  /** Reuses an open checkout for `offer` and closes any other. Throws NotForSale when the price is wrong. */
  checkout(
    customerId: string,
    offer: Offer,
    back: { readonly paid: string; readonly canceled: string },
  ): Promise<string>;
  closeCheckouts(customerId: string): Promise<number>;
  portal(customerId: string, returnTo: string): Promise<string>;
  subscriptions(customerId: string): Promise<readonly ProviderSubscription[]>;
  /** At once, without a refund. It is idempotent. */
  cancel(subscriptionId: string): Promise<void>;
  /** Throws ForgedEvent. */
  readEvent(body: Buffer, signature: string | undefined): PaymentEvent;
}

export class PaymentsUnavailable extends Error {
  constructor(cause?: unknown, message = 'The payment provider returned an unexpected response') {
    super(message, { cause });
    this.name = 'PaymentsUnavailable';
  }
}

/** The provider still knows deleted customers, so this one is of another account or mode. */
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

const refuse = () => Promise.reject(new PaymentsUnavailable());

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
