import { expect } from 'vitest';
import { endGraceOf, findOverdue } from '../../src/billing/grace.ts';
import { endOfDay, lastZone } from '../../src/lib/calendar-days.ts';
import { days, seconds } from '../../src/lib/clock.ts';
import { measureStorage } from '../../src/monitoring/server-metrics.ts';
import { grantPlan } from '../../src/billing/subscription.ts';
import { goodPassword } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { billingEmails, levelOf, subscriptionOf, shopTest as test } from '../harness/shop.ts';
import { uploadFile } from '../harness/uploads.ts';
import { levelsOf, subscribed, subscriptionRowOf } from '../harness/subscribers.ts';

const failed = 'A payment for your Holdfast plan failed';
const paused = 'Your Holdfast plan is paused';

test('after a failed payment the plan is kept until the seventh day is over, then ends until it is paid', async ({
  shop,
}) => {
  const { person, id } = await subscribed(shop);
  const { server, stripe } = shop;
  stripe.state.change(id, { status: 'past_due' });
  await stripe.delivered();
  const ends = endOfDay(server.clock.now(), lastZone, 7);
  expect(await subscriptionOf(person)).toMatchObject({
    status: 'past_due',
    grace_ends: new Date(ends).toISOString(),
  });
  expect(await billingEmails(shop, person)).toEqual([failed]);
  // The payment is retried and fails again: the days count from the first time.
  server.clock.advance(days(3));
  stripe.state.tell('invoice.payment_failed', {
    id: 'in_1',
    object: 'invoice',
    customer: await shop.customerOf(person),
  });
  await stripe.delivered();
  server.clock.advance(ends - server.clock.now() - seconds(1));
  expect(await server.runJob('end-grace')).toEqual({ accounts: 0, unread: 0 });
  expect(await levelOf(person)).toBe('Basic');
  server.clock.advance(seconds(1));
  expect(await server.runJob('end-grace')).toEqual({ accounts: 1, unread: 0 });
  expect(await levelOf(person)).toBe('Free');
  expect(await server.runJob('end-grace')).toEqual({ accounts: 0, unread: 0 });
  expect(await billingEmails(shop, person)).toEqual([failed, paused]);
  expect(await subscriptionOf(person)).toMatchObject({ level: 'Basic', status: 'past_due' });
  // Any other event meanwhile restores nothing.
  stripe.state.change(id, { status: 'past_due' });
  await stripe.delivered();
  expect(await levelOf(person)).toBe('Free');
  stripe.state.change(id, { status: 'active' });
  await stripe.delivered();
  expect(await levelOf(person)).toBe('Basic');
  expect(await subscriptionOf(person)).toMatchObject({ status: 'active', grace_ends: null });
  // The next failure has its own days of grace.
  stripe.state.change(id, { status: 'past_due' });
  await stripe.delivered();
  expect(await levelOf(person)).toBe('Basic');
  expect(await billingEmails(shop, person)).toEqual([failed, paused, failed]);
});

test('before the plan ends, the provider is asked again, and a missing answer delays the end', async ({ shop }) => {
  const [lost, down] = [await subscribed(shop), await subscribed(shop)];
  const { server, stripe } = shop;
  for (const { id } of [lost, down]) stripe.state.change(id, { status: 'past_due' });
  await stripe.delivered();
  server.clock.advance(days(9));
  stripe.deliverTo(null);
  stripe.state.change(lost.id, { status: 'active' });
  stripe.sufferAlways(401);
  expect(await server.runJob('end-grace')).toEqual({ accounts: 0, unread: 2 });
  expect(await levelsOf(lost, down)).toEqual(['basic', 'basic']);
  expect(server.log.filter((line) => line.includes('ALARM'))).toHaveLength(1);
  stripe.sufferAlways(null);
  expect(await server.runJob('end-grace')).toEqual({ accounts: 1, unread: 0 });
  expect(await levelsOf(lost, down)).toEqual(['basic', 'free']);
  stripe.state.change(lost.id, { status: 'past_due' });
  server.clock.advance(1);
  await server.runJob('reconcile-subscriptions');
  stripe.sufferAlways(401);
  server.clock.advance(days(30) - 1);
  expect(await server.runJob('end-grace')).toEqual({ accounts: 0, unread: 1 });
  expect(await levelsOf(lost)).toEqual(['basic']);
  server.clock.advance(1);
  expect(await server.runJob('end-grace')).toEqual({ accounts: 1, unread: 0 });
  expect(await levelsOf(lost)).toEqual(['free']);
});

test('if the provider never responds again, a plan lasts for the paid period and one more month', async ({ shop }) => {
  const [month, year] = [await subscribed(shop, 'basic_monthly'), await subscribed(shop, 'power_yearly')];
  const { server, stripe } = shop;
  stripe.deliverTo(null);
  stripe.sufferAlways(401);
  const run = () => server.runJob('end-grace');
  expect(await measureStorage(server.context)).toMatchObject({ paymentsUnread: 0 });
  server.clock.advance(days(3));
  expect(await measureStorage(server.context)).toMatchObject({ paymentsUnread: 2 });
  server.clock.advance(days(57) - seconds(1));
  expect(await run()).toEqual({ accounts: 0, unread: 0 });
  server.clock.advance(seconds(1));
  expect(await run()).toEqual({ accounts: 1, unread: 0 });
  expect(await levelsOf(month, year)).toEqual(['free', 'power']);
  expect(await run()).toEqual({ accounts: 0, unread: 0 });
  expect(await billingEmails(shop, month.person)).toEqual([paused]);
  const { client } = openBrowser(server);
  await client.login({ body: { email: month.person.email, password: goodPassword } });
  expect(await client.getSubscription()).toMatchObject({
    subscription: { level: 'Basic', status: 'past_due', grace_ends: null },
  });
  server.clock.advance(days(334));
  expect(await run()).toEqual({ accounts: 0, unread: 0 });
  server.clock.advance(days(1));
  expect(await run()).toEqual({ accounts: 1, unread: 0 });
  // The first response restores the plan, without any action.
  stripe.sufferAlways(null);
  await server.runJob('reconcile-subscriptions');
  expect(await levelsOf(month, year)).toEqual(['basic', 'power']);
});

test('concurrent runs end the days of grace once', async ({ shop }) => {
  const { person, id } = await subscribed(shop);
  shop.stripe.state.change(id, { status: 'past_due' });
  await shop.stripe.delivered();
  shop.server.clock.advance(days(9));
  const [overdue] = await findOverdue(shop.server.context, 10);
  if (!overdue) throw new Error('nobody is overdue');
  const ends = await Promise.all([1, 2, 3].map(() => endGraceOf(shop.server.context, overdue)));
  expect(ends.toSorted()).toEqual(['ended', 'kept', 'kept']);
  // Both emails wait here, and are sent concurrently.
  expect((await billingEmails(shop, person)).toSorted()).toEqual([failed, paused]);
});

test('a granted plan remains after the subscription, and the better plan applies', async ({ shop }) => {
  const { person, id } = await subscribed(shop);
  const { account_id } = await subscriptionRowOf(shop, person);
  const grant = (level: 'free' | 'starter' | 'power') => grantPlan(shop.server.context, account_id, level);
  expect(await grant('starter')).toBe('basic');
  expect(await grant('power')).toBe('power');
  expect(await levelOf(person)).toBe('Power');
  expect(await grant('starter')).toBe('basic');
  shop.stripe.state.change(id, { status: 'canceled' });
  await shop.stripe.delivered();
  expect(await levelOf(person)).toBe('Starter');
  expect(await grant('free')).toBe('free');
  expect(await levelOf(person)).toBe('Free');
  expect(await grantPlan(shop.server.context, 'nobody', 'power')).toBeNull();
});

test('while a plan is paid no warning counts, and its end begins them anew', async ({ shop }) => {
  const { server, stripe } = shop;
  const nights = async (count: number) => {
    const sums: Record<string, number> = {};
    for (let night = 0; night < count; night += 1) {
      server.clock.advance(days(1));
      for (const [what, did] of Object.entries(await server.runJob('dormancy'))) sums[what] = (sums[what] ?? 0) + did;
      await server.emailWorker.flush();
    }
    return sums;
  };
  const nothing = { firstWarnings: 0, lastWarnings: 0, accounts: 0, files: 0 };
  const { person, id } = await subscribed(shop);
  await uploadFile(server, person);
  server.clock.advance(days(334));
  stripe.state.change(id, { status: 'canceled' });
  await stripe.delivered();
  expect(await nights(28)).toEqual({ ...nothing, firstWarnings: 1, lastWarnings: 1 });
  stripe.state.change(id, { status: 'active' });
  await stripe.delivered();
  expect(await nights(2)).toEqual(nothing);
  stripe.state.change(id, { status: 'canceled' });
  await stripe.delivered();
  expect(await nights(29)).toEqual({ ...nothing, firstWarnings: 1, lastWarnings: 1 });
  expect(await nights(4)).toEqual({ ...nothing, accounts: 1, files: 1 });
});
