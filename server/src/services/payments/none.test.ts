import { expect, test } from 'vitest';
import { allOf } from './conformance.ts';
import { openNoPayments } from './none.ts';
import { ForgedEvent, PaymentsUnavailable } from './payments.ts';

test('nothing is for sale, no payment is possible, and no event is accepted', async () => {
  const payments = openNoPayments();
  expect(payments.offers).toEqual([]);
  await expect(
    payments.customerFor({ accountId: 'ada', email: 'ada@example.com', serviceId: null, before: null }),
  ).rejects.toThrow(PaymentsUnavailable);
  await expect(allOf(payments.payingCustomers())).rejects.toThrow(PaymentsUnavailable);
  await expect(payments.subscriptions('cus_1')).rejects.toThrow(PaymentsUnavailable);
  expect(() => payments.readEvent(Buffer.from('{}'), 't=1,v1=00')).toThrow(ForgedEvent);
});
