import { ForgedEvent, type Payments, PaymentsUnavailable } from './payments.ts';

/** Sells nothing. */
export function openNoPayments(): Payments {
  const refuse = async () => {
    throw new PaymentsUnavailable();
  };
  return {
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
}
