import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { readFact, writeFact } from '../../src/engines/database/service-facts.ts';
import { days, minutes } from '../../src/lib/clock.ts';
import { writeDeletions } from '../../src/operator/backup/deletions.ts';
import { makeBackup } from '../../src/operator/backup/make-backup.ts';
import { restoreBackup } from '../../src/operator/backup/restore-backup.ts';
import { goodPassword, type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { levelOf, openShop, type Shop } from '../harness/shop.ts';
import { killUntilDone } from '../harness/start-job.ts';

const secret = { SECRET_KEY: 'the same secret key on both servers' };
const { signal } = new AbortController();
const serviceId = 'the service';
const many = { timeout: 120_000 };

const alarms = ({ server }: Shop) => server.log.filter((line) => line.includes('ALARM'));
const live = ({ stripe }: Shop) =>
  [...stripe.state.subscriptions.values()].filter(({ status }) => status !== 'canceled');
const waiting = ({ server }: Shop) =>
  server.context.db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('cancel_requested_at', 'is not', null)
    .execute();
const reconcile = ({ server }: Shop) => server.runJob('reconcile-subscriptions');
const idOf = async ({ server }: Shop, { email }: Pick<SignedIn, 'email'>) =>
  (await server.context.db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;

/** Sends an event about the customer, as any call concerning it triggers, and returns the statuses. */
async function pays(shop: Shop, customer: string): Promise<readonly number[]> {
  shop.stripe.state.tell('invoice.paid', { id: 'in_1', object: 'invoice', customer });
  return shop.stripe.delivered();
}

/** Moves the clocks by a minute: the provider's search finds only what is older than that. */
function passAMinute(...shops: readonly Shop[]): void {
  for (const { server } of shops) server.clock.advance(minutes(1));
}

async function signInAgain({ server }: Shop, person: SignedIn): Promise<SignedIn> {
  const browser = openBrowser(server);
  await browser.client.login({ body: { email: person.email, password: goodPassword } });
  return { ...person, browser };
}

async function openFirst(): Promise<Shop> {
  const shop = await openShop(secret);
  await writeFact(shop.server.context.db, 'id', { value: serviceId, at: 0 });
  return shop;
}

async function takeBackup({ server: { context } }: Shop): Promise<{ folder: string; deletions(): Promise<number> }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-restored-payments-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // Another process's view of the same database, as the command has it.
  const beside = await openContext(context.config, pino({ level: 'silent' }), { clock: context.clock });
  onTestFinished(() => beside[Symbol.asyncDispose]());
  const backup = join(folder, 'monday');
  await makeBackup(beside, backup, { signal });
  return { folder: backup, deletions: () => writeDeletions(beside, backup) };
}

/** The service on another machine, restored from a backup, with the same account at the provider. */
async function restored(first: Shop, backup: string): Promise<Shop> {
  const second = await openShop(secret, first.stripe);
  const { context, clock } = second.server;
  clock.advance(first.server.clock.now() - clock.now());
  await restoreBackup(context, backup, { actor: { operator: 'ada', action: 'restore' }, signal });
  await writeFact(context.db, 'id', { value: serviceId, at: 0 });
  await writeFact(context.db, 'restored', { value: '', at: clock.now() });
  return second;
}

test('an account that bought after the backup gets its plan with the next event', async () => {
  await using first = await openFirst();
  const ada = await signUpAndIn(first.server);
  const { folder } = await takeBackup(first);
  await first.buy(ada, 'power_yearly');
  const customer = await first.customerOf(ada);
  await using second = await restored(first, folder);
  const again = await signInAgain(second, ada);
  expect(await levelOf(again)).toBe('Free');
  expect(await pays(second, customer)).toEqual([200]);
  expect(await levelOf(again)).toBe('Power');
  expect(await second.customerOf(ada)).toBe(customer);
  expect(await second.visit(again.browser)).toContain('/portal/');
  expect(alarms(second)).toEqual([]);
});

test('an account that bought after the backup gets its plan in the first night', async () => {
  await using first = await openFirst();
  const [ada, ben] = [await signUpAndIn(first.server), await signUpAndIn(first.server)];
  await first.buy(ben, 'basic_monthly');
  const { folder } = await takeBackup(first);
  await first.buy(ada, 'power_yearly');
  first.stripe.state.customers.set('cus_else', {
    id: 'cus_else',
    object: 'customer',
    email: 'of something else',
    metadata: {},
    created: 0,
  });
  await using second = await restored(first, folder);
  const again = await signInAgain(second, ada);
  expect(await reconcile(second)).toMatchObject({ found: 1, ended: 0, changed: 0 });
  expect(await levelOf(again)).toBe('Power');
  expect(await levelOf(await signInAgain(second, ben))).toBe('Basic');
  const listed = () => first.stripe.calls.filter((call) => call === 'GET /v1/customers').length;
  const before = listed();
  second.server.clock.advance(days(1));
  expect(await reconcile(second)).not.toHaveProperty('found');
  expect(listed()).toBe(before);
  // Another restore is followed up the next night.
  await writeFact(second.server.context.db, 'restored', { value: '', at: second.server.clock.now() });
  second.server.clock.advance(days(1));
  expect(await reconcile(second)).toMatchObject({ found: 0, ended: 0 });
  expect(listed()).toBe(before + 1);
  expect(alarms(second)).toEqual([]);
});

test.each(['by its owner', 'by the operator'])(
  'deleting an account %s cancels a subscription bought after the backup',
  async (by) => {
    await using first = await openFirst();
    const [ada, ben] = [await signUpAndIn(first.server), await signUpAndIn(first.server)];
    const { folder } = await takeBackup(first);
    for (const person of [ada, ben]) await first.buy(person, 'power_yearly');
    const bens = await first.customerOf(ben);
    await using second = await restored(first, folder);
    passAMinute(first, second);
    second.stripe.deliverTo(null);
    if (by === 'by its owner') {
      // Closing an account neither waits for the provider nor fails with it.
      second.stripe.sufferAlways(402);
      await (await signInAgain(second, ada)).browser.client.deleteAccount();
      await expect.poll(() => second.server.log.filter((line) => line.includes('will be retried')).length).toBe(1);
      second.stripe.sufferAlways(null);
      // By then its address is erased.
      second.server.clock.advance(days(2));
      await second.server.runJob('purge');
    } else {
      const settings = { ...secret, ...first.stripe.environment };
      const command = await startHoldfast(second.server, ['account', 'delete', ada.email, '--yes'], settings);
      expect(await command.ended).toMatchObject({ code: 0 });
    }
    expect(await waiting(second)).toHaveLength(1);
    expect(await second.server.runJob('cancel-subscriptions')).toEqual({ subscriptions: 1 });
    await second.stripe.delivered();
    expect(await waiting(second)).toEqual([]);
    expect(live(second)).toMatchObject([{ customer: bens }]);
  },
);

test('a subscription of an account created after the backup is canceled with one alarm', async () => {
  await using first = await openFirst();
  const { folder } = await takeBackup(first);
  const [ada, ben] = [await signUpAndIn(first.server), await signUpAndIn(first.server)];
  for (const person of [ada, ben]) await first.buy(person, 'power_yearly');
  const [adas, bens] = [await first.customerOf(ada), await first.customerOf(ben)];
  await using second = await restored(first, folder);
  expect(new Set(await pays(second, adas))).toEqual(new Set([200]));
  expect(live(second)).toMatchObject([{ customer: bens }]);
  expect(alarms(second)).toEqual([expect.stringContaining(adas)]);
  await pays(second, adas);
  expect(alarms(second)).toHaveLength(1);
  expect(await reconcile(second)).toMatchObject({ found: 0, ended: 1 });
  await second.stripe.delivered();
  expect(live(second)).toEqual([]);
  expect(alarms(second)).toEqual([expect.stringContaining(adas), expect.stringContaining(bens)]);
});

test('a subscription of an account deleted after the backup is canceled with an alarm', async () => {
  await using first = await openFirst();
  const [ada, ben] = [await signUpAndIn(first.server), await signUpAndIn(first.server)];
  const backup = await takeBackup(first);
  const customers: string[] = [];
  for (const person of [ada, ben]) {
    await first.buy(person, 'power_yearly');
    customers.push(await first.customerOf(person));
  }
  // The service is lost before it could cancel the subscription.
  first.stripe.sufferAlways(402);
  for (const person of [ada, ben]) await person.browser.client.deleteAccount();
  await expect.poll(() => first.server.log.filter((line) => line.includes('will be retried')).length).toBe(2);
  first.stripe.sufferAlways(null);
  await backup.deletions();
  await using second = await restored(first, backup.folder);
  expect(live(second)).toHaveLength(2);
  await pays(second, customers[0] ?? '');
  expect(live(second)).toMatchObject([{ customer: customers[1] }]);
  expect(alarms(second)).toEqual([expect.stringContaining(customers[0] ?? '')]);
  expect(await reconcile(second)).toMatchObject({ found: 0, ended: 1 });
  // The provider's event of the cancellation is followed up as well.
  await second.stripe.delivered();
  expect([live(second), await waiting(second)]).toEqual([[], []]);
  expect(alarms(second)).toHaveLength(2);
});

test.each([
  ['of another service', { service: 'another service' }, 0, 0],
  ['of a service without an id', {}, 0, 1],
  ['made after the restore', { service: serviceId }, 1, 1],
] as const)('the subscription of a customer %s without an account is kept', async (_name, metadata, after, told) => {
  await using first = await openFirst();
  const { folder } = await takeBackup(first);
  await using second = await restored(first, folder);
  const { state } = first.stripe;
  const customer = { id: 'cus_1', object: 'customer' as const, email: '', metadata: { account: 'x', ...metadata } };
  state.customers.set('cus_1', { ...customer, created: state.now() + after });
  state.subscribe('cus_1', 'price_power_yearly');
  expect(await second.stripe.delivered()).toEqual([200]);
  expect(await pays(second, 'cus_1')).toEqual([200]);
  expect(await reconcile(second)).toMatchObject({ found: 0, ended: 0 });
  expect(live(second)).toHaveLength(1);
  expect(alarms(second)).toHaveLength(told);
  if (told > 0) expect(alarms(second)[0]).toContain('cus_1');
});

test('a service without a restore cancels no subscription of an unknown account', async () => {
  await using shop = await openFirst();
  const { state } = shop.stripe;
  const metadata = { account: 'of another copy of this service', service: serviceId };
  state.customers.set('cus_1', { id: 'cus_1', object: 'customer', email: '', metadata, created: state.now() });
  state.subscribe('cus_1', 'price_power_yearly');
  expect(await shop.stripe.delivered()).toEqual([200]);
  await reconcile(shop);
  expect(live(shop)).toHaveLength(1);
  expect(alarms(shop)).toHaveLength(1);
  expect(shop.stripe.calls).not.toContain('GET /v1/customers');
});

test('the customer of the backup is replaced only by a customer that pays', async () => {
  await using first = await openFirst();
  const ada = await signUpAndIn(first.server);
  await first.visit(ada.browser, 'basic_monthly');
  const old = await first.customerOf(ada);
  const { folder } = await takeBackup(first);
  // The old customer was of the sandbox.
  first.stripe.state.customers.delete(old);
  await first.buy(ada, 'power_yearly');
  const now = await first.customerOf(ada);
  expect(now).not.toBe(old);
  await using second = await restored(first, folder);
  const account = await idOf(second, ada);
  const { state } = second.stripe;
  const metadata = { account, service: serviceId };
  state.customers.set('cus_idle', { id: 'cus_idle', object: 'customer', email: '', metadata, created: state.now() });
  await pays(second, 'cus_idle');
  expect(await second.customerOf(ada)).toBe(old);
  await pays(second, now);
  expect(await second.customerOf(ada)).toBe(now);
  const again = await signInAgain(second, ada);
  expect(await levelOf(again)).toBe('Power');
  expect(alarms(second)).toEqual([]);
  // The operator must resolve two customers that both pay.
  state.subscribe('cus_idle', 'price_basic_monthly');
  await second.stripe.delivered();
  await pays(second, 'cus_idle');
  expect(await second.customerOf(ada)).toBe(now);
  expect(alarms(second)).toEqual([expect.stringContaining('cus_idle')]);
  expect(live(second)).toHaveLength(2);
  // Once the account is deleted, neither subscription is paid for.
  passAMinute(first, second);
  await again.browser.client.deleteAccount();
  await expect.poll(() => waiting(second)).toEqual([]);
  expect(live(second)).toEqual([]);
});

test('a customer that cannot be followed up is retried the next night, and blocks no other customer', async () => {
  await using first = await openFirst();
  const [ada, ben] = [await signUpAndIn(first.server), await signUpAndIn(first.server)];
  await first.buy(ben, 'basic_monthly');
  const { folder } = await takeBackup(first);
  await first.buy(ada, 'power_yearly');
  await using second = await restored(first, folder);
  second.stripe.deliverTo(null);
  for (const { id } of live(second)) second.stripe.state.change(id, { price: 'price_advanced_monthly' });
  second.server.clock.advance(minutes(1));
  const prices = Array.from({ length: 8 }, () => ({ lateMs: 0 }));
  // The list arrives, but the subscriptions of the first customer to be followed up do not.
  second.stripe.suffer(...prices, { lateMs: 0 }, 402);
  await expect(reconcile(second)).rejects.toThrow('followed up');
  expect(await levelOf(await signInAgain(second, ben))).toBe('Advanced');
  expect(await readFact(second.server.context.db, 'customers listed')).toBeNull();
  second.server.clock.advance(days(1));
  // The list itself does not arrive.
  second.stripe.suffer(...prices, 402);
  await expect(reconcile(second)).rejects.toThrow('followed up');
  expect(await reconcile(second)).not.toHaveProperty('failed', 1);
  expect(await levelOf(await signInAgain(second, ada))).toBe('Advanced');
  expect(await readFact(second.server.context.db, 'customers listed')).not.toBeNull();
});

test('following up ends after twenty failures in a row', async () => {
  await using shop = await openFirst();
  const { state } = shop.stripe;
  for (let at = 0; at < 25; at += 1) {
    const metadata = { account: `account ${at}` };
    state.customers.set(`cus_${at}`, {
      id: `cus_${at}`,
      object: 'customer',
      email: '',
      metadata,
      created: state.now(),
    });
  }
  await writeFact(shop.server.context.db, 'restored', { value: '', at: shop.server.clock.now() });
  shop.stripe.suffer(...Array.from({ length: 9 }, () => ({ lateMs: 0 })));
  shop.stripe.sufferAlways(402);
  await expect(reconcile(shop)).rejects.toThrow('followed up');
  expect(shop.stripe.calls.filter((call) => call === 'GET /v1/subscriptions')).toHaveLength(20);
});

test('an event of a customer that could not be followed up is answered with 503', async () => {
  await using first = await openFirst();
  const ada = await signUpAndIn(first.server);
  const { folder } = await takeBackup(first);
  await first.buy(ada, 'power_yearly');
  await using second = await restored(first, folder);
  const again = await signInAgain(second, ada);
  second.stripe.deliverTo(null);
  const event = second.stripe.state.tell('invoice.paid', {
    id: 'in_1',
    object: 'invoice',
    customer: await first.customerOf(ada),
  });
  for (const troubles of [[402], [{ lateMs: 0 }, 402]] as const) {
    second.stripe.suffer(...troubles);
    expect(await second.stripe.deliver(second.eventsUrl, event)).toBe(503);
    expect(await levelOf(again)).toBe('Free');
  }
  expect(await second.stripe.deliver(second.eventsUrl, event)).toBe(200);
  expect(await levelOf(again)).toBe('Power');
});

test('a hundred concurrent events of an unknown customer are all accepted', async () => {
  await using first = await openFirst();
  const ada = await signUpAndIn(first.server);
  const { folder } = await takeBackup(first);
  await first.buy(ada, 'power_yearly');
  await using second = await restored(first, folder);
  second.stripe.deliverTo(null);
  const customer = await first.customerOf(ada);
  const events = Array.from({ length: 100 }, (_, at) =>
    second.stripe.state.tell('invoice.paid', { id: `in_${at}`, object: 'invoice', customer }),
  );
  const statuses = await Promise.all(events.map((event) => second.stripe.deliver(second.eventsUrl, event)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await second.customerOf(ada)).toBe(customer);
  expect(await levelOf(await signInAgain(second, ada))).toBe('Power');
});

test('the first night after a restore, killed at any step, follows up all accounts', many, async () => {
  await using first = await openFirst();
  const [ada, ben] = [await signUpAndIn(first.server), await signUpAndIn(first.server)];
  const { folder } = await takeBackup(first);
  const late = await signUpAndIn(first.server);
  for (const person of [ada, ben, late]) await first.buy(person, 'basic_monthly');
  await using second = await restored(first, folder);
  second.stripe.deliverTo(null);
  second.server.clock.advance(minutes(1));
  expect(await killUntilDone(second.server, 'reconcile-subscriptions', 3)).toBeGreaterThan(5);
  for (const person of [ada, ben]) expect(await levelOf(await signInAgain(second, person))).toBe('Basic');
  expect(live(second)).toHaveLength(2);
});
