import { expect, test } from 'vitest';
import { days, minutes } from '../../src/lib/clock.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { billingEmails, levelOf, openShop, type Shop } from '../harness/shop.ts';
import { killUntilDone, startJob } from '../harness/start-job.ts';

const many = { timeout: 120_000 };

async function buyer(shop: Shop) {
  const person = await signUpAndIn(shop.server);
  await shop.buy(person, 'basic_monthly');
  const customer = await shop.customerOf(person);
  const own = [...shop.stripe.state.subscriptions.values()].find((each) => each.customer === customer);
  shop.stripe.deliverTo(null);
  shop.server.clock.advance(minutes(1));
  return { person, id: own?.id ?? '' };
}

test('a reconciliation killed at any step has one effect in the end', many, async () => {
  await using shop = await openShop();
  const { person, id } = await buyer(shop);
  shop.stripe.state.change(id, { status: 'past_due', price: 'price_power_yearly' });
  expect(await killUntilDone(shop.server, 'reconcile-subscriptions')).toBeGreaterThan(5);
  expect(await levelOf(person)).toBe('Power');
  expect(await billingEmails(shop, person)).toEqual(['A payment for your Holdfast plan failed']);
});

test('an end of the grace period killed at any step sends its emails once', many, async () => {
  await using shop = await openShop();
  const { person, id } = await buyer(shop);
  shop.stripe.state.change(id, { status: 'past_due' });
  await shop.server.runJob('reconcile-subscriptions');
  shop.server.clock.advance(days(9));
  expect(await killUntilDone(shop.server, 'end-grace')).toBeGreaterThan(5);
  const { level } = await shop.server.context.db.selectFrom('accounts').select('level').executeTakeFirstOrThrow();
  expect(level).toBe('free');
  expect(await billingEmails(shop, person)).toHaveLength(2);
});

test('a cancellation killed at any step ends the subscription and is confirmed', many, async () => {
  await using shop = await openShop();
  const { person } = await buyer(shop);
  const { db } = shop.server.context;
  shop.stripe.sufferAlways(429);
  await person.browser.client.deleteAccount();
  await expect.poll(() => shop.server.log.filter((line) => line.includes('will be retried')).length).toBe(1);
  shop.stripe.sufferAlways(null);
  let killed = 0;
  for (let killAt = 2; ; killAt += 1) {
    // Both leases expire: that of the job and that of the subscription.
    shop.server.clock.advance(minutes(6));
    if ((await startJob(shop.server, 'cancel-subscriptions', killAt)) !== 'killed') break;
    killed += 1;
  }
  expect(killed).toBeGreaterThan(5);
  expect([...shop.stripe.state.subscriptions.values()]).toMatchObject([{ status: 'canceled' }]);
  const row = await db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ cancel_requested_at: null, status: 'ended' });
});
