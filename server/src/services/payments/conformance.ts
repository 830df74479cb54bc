import { expect, test } from 'vitest';
import type { Payments } from './payments.ts';
import { UnknownCustomer } from './payments.ts';

export interface PaymentsEngine extends AsyncDisposable {
  readonly payments: Payments;
  /** Pays at the address of a checkout as a customer would. Returns whether the payment was possible. */
  readonly pay: (url: string) => Promise<boolean>;
}

/** Collects a list of several pages. */
async function allOf<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of pages) all.push(each);
  return all;
}

const buyer = { accountId: 'ada', email: 'ada@example.com', serviceId: 'the service', before: null };
const back = { paid: 'https://files.example.com/paid', canceled: 'https://files.example.com/canceled' };
const basic = { level: 'basic', period: 'monthly' } as const;
const power = { level: 'power', period: 'yearly' } as const;

/** Tests the promises of every payment provider that sells something (see `Payments`). */
export function paymentsConformance(open: () => Promise<PaymentsEngine>): void {
  test('an account is one customer, however often it is asked', async () => {
    await using engine = await open();
    const [first, second] = await Promise.all([engine.payments.customerFor(buyer), engine.payments.customerFor(buyer)]);
    expect(second).toBe(first);
    expect(await engine.payments.customerFor(buyer)).toBe(first);
    expect(await engine.payments.customerFor({ ...buyer, accountId: 'another of that address' })).not.toBe(first);
  });

  test('customers who pay are listed with the account and the service that they were made for', async () => {
    await using engine = await open();
    const own = await engine.payments.customerFor(buyer);
    const old = await engine.payments.customerFor({ ...buyer, accountId: 'of nobody', serviceId: null });
    await engine.payments.customerFor({ ...buyer, accountId: 'pays nothing' });
    for (const id of [own, old]) await engine.pay(await engine.payments.checkout(id, basic, back));
    expect((await allOf(engine.payments.payingCustomers())).toReversed()).toEqual([
      { id: own, accountId: 'ada', serviceId: 'the service' },
      { id: old, accountId: 'of nobody', serviceId: null },
    ]);
  });

  test('nothing is paid for until a checkout is paid', async () => {
    await using engine = await open();
    const customer = await engine.payments.customerFor(buyer);
    const url = await engine.payments.checkout(customer, basic, back);
    expect(await engine.payments.subscriptions(customer)).toEqual([]);
    expect(await engine.pay(url)).toBe(true);
    const [subscription, ...more] = await engine.payments.subscriptions(customer);
    expect(subscription).toMatchObject({ offer: basic, status: 'active', endsWithPeriod: false });
    expect(subscription?.periodEndsAt).toBeGreaterThan(subscription?.createdAt ?? Infinity);
    expect(more).toEqual([]);
  });

  test('an open checkout is reused for the same, and closed for something else', async () => {
    await using engine = await open();
    const customer = await engine.payments.customerFor(buyer);
    const first = await engine.payments.checkout(customer, basic, back);
    expect(await engine.payments.checkout(customer, basic, back)).toBe(first);
    const other = await engine.payments.checkout(customer, power, back);
    expect(other).not.toBe(first);
    expect(await engine.pay(first)).toBe(false);
    expect(await engine.pay(other)).toBe(true);
  });

  test('a closed checkout cannot be paid, and a paid one is not closed', async () => {
    await using engine = await open();
    const customer = await engine.payments.customerFor(buyer);
    const url = await engine.payments.checkout(customer, basic, back);
    expect(await engine.payments.closeCheckouts(customer)).toBe(1);
    expect(await engine.pay(url)).toBe(false);
    expect(await engine.payments.closeCheckouts(customer)).toBe(0);
    await engine.pay(await engine.payments.checkout(customer, basic, back));
    expect(await engine.payments.closeCheckouts(customer)).toBe(0);
    expect(await engine.payments.subscriptions(customer)).toMatchObject([{ status: 'active' }]);
  });

  test('a canceled subscription has ended, also if it is canceled again', async () => {
    await using engine = await open();
    const customer = await engine.payments.customerFor(buyer);
    await engine.pay(await engine.payments.checkout(customer, basic, back));
    const [subscription] = await engine.payments.subscriptions(customer);
    for (let i = 0; i < 2; i += 1) {
      await engine.payments.cancel(subscription?.id ?? '');
      expect(await engine.payments.subscriptions(customer)).toMatchObject([{ status: 'ended' }]);
    }
  });

  test('a customer has a portal, and one that the provider does not know has nothing', async () => {
    await using engine = await open();
    const customer = await engine.payments.customerFor(buyer);
    expect(URL.canParse(await engine.payments.portal(customer, back.paid))).toBe(true);
    const unknown = 'cus_of_another_account';
    for (const ask of [
      () => engine.payments.subscriptions(unknown),
      () => engine.payments.portal(unknown, back.paid),
      () => engine.payments.checkout(unknown, basic, back),
      () => engine.payments.closeCheckouts(unknown),
    ])
      await expect(ask()).rejects.toThrow(UnknownCustomer);
  });
}
