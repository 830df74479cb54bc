import { test, expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { openShop, type Shop } from '../harness/shop.ts';

const steps: readonly ((shop: Shop, customer: string, id: string) => string)[] = [
  ({ stripe }, customer) => stripe.state.subscribe(customer, 'price_starter_monthly').id,
  ({ stripe }, _customer, id) => (stripe.state.change(id, { price: 'price_power_monthly' }), id),
  ({ stripe }, _customer, id) => (stripe.state.change(id, { status: 'past_due' }), id),
  ({ stripe }, _customer, id) => (stripe.state.change(id, { status: 'active' }), id),
  ({ stripe }, _customer, id) => (stripe.state.change(id, { cancel_at_period_end: true }), id),
  ({ stripe }, _customer, id) => (stripe.state.change(id, { status: 'canceled' }), id),
];

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((each, at) => permutations(all.toSpliced(at, 1)).map((rest) => [each, ...rest]));
}

/** Inserts customers without people: only the account's row counts here. */
async function manyCustomers(shop: Shop, count: number): Promise<string[]> {
  const { db } = shop.server.context;
  const template = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
  const ids = Array.from({ length: count }, (_, at) => `customer${at}`);
  for (let at = 0; at < ids.length; at += 100) {
    const some = ids.slice(at, at + 100);
    const account = (id: string) => ({ ...template, id, email: id, email_key: id, key_hash: id });
    await db.insertInto('accounts').values(some.map(account)).execute();
    await db
      .insertInto('subscriptions')
      .values(some.map((id) => ({ account_id: id, customer_id: `cus_${id}` })))
      .execute();
  }
  for (const id of ids)
    shop.stripe.state.customers.set(`cus_${id}`, {
      id: `cus_${id}`,
      object: 'customer',
      email: id,
      metadata: { account: id },
      created: 0,
    });
  return ids;
}

/** One of so many orders of six events is played, and of the first five, because the last one ends the subscription. */
const every = 23;

test(
  '32 of the 720 orders of six events end in the same plan, whatever the state of the provider',
  { timeout: 120_000 },
  async () => {
    await using shop = await openShop();
    await signUpAndIn(shop.server);
    shop.stripe.deliverTo(null);
    const tried = (events: readonly number[]) => permutations(events).filter((_, at) => at % every === 0);
    const [six, five] = [tried([0, 1, 2, 3, 4, 5]), tried([0, 1, 2, 3, 4])];
    const orders = [...six, ...five];
    const { db } = shop.server.context;
    const ids = await manyCustomers(shop, orders.length);
    const play = async (order: readonly number[], id: string, inTime: boolean) => {
      const ending = order.length;
      const customer = `cus_${id}`;
      const events: (typeof shop.stripe.state.events)[number][] = [];
      let subscription = '';
      const goOn = () => {
        subscription = steps[events.length]?.(shop, customer, subscription) ?? '';
        events.push(...shop.stripe.state.events.slice(-1));
      };
      if (!inTime) while (events.length < ending) goOn();
      for (const step of order) {
        // No event is sent before it has happened, and others may have happened by then.
        while (events.length <= step && events.length < ending) goOn();
        const event = events[step];
        if (event) expect(await shop.stripe.deliver(shop.eventsUrl, event)).toBe(200);
      }
    };
    for (let at = 0; at < orders.length; at += 20)
      await Promise.all(orders.slice(at, at + 20).map((order, i) => play(order, ids[at + i] ?? '', i % 2 === 0)));
    const ends = await db
      .selectFrom('accounts')
      .innerJoin('subscriptions', 'subscriptions.account_id', 'accounts.id')
      .select(['accounts.id', 'accounts.level', 'status', 'ends_with_period'])
      .execute();
    const endsOf = (some: readonly string[]) =>
      new Set(
        ends.filter(({ id }) => some.includes(id)).map((end) => `${end.level} ${end.status} ${end.ends_with_period}`),
      );
    expect([...endsOf(ids.slice(0, six.length))]).toEqual(['free ended 0']);
    expect([...endsOf(ids.slice(six.length))]).toEqual(['power active 1']);
  },
);
