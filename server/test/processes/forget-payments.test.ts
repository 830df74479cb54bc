import { expect, test } from 'vitest';
import { days } from '../../src/lib/clock.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { holdfast, holdfastJson } from '../harness/holdfast.ts';
import { levelOf, openShop } from '../harness/shop.ts';
import { deleteUnknownCustomer } from '../harness/unknown-customer.ts';

test('the operator can end the attempts for a customer unknown to the provider', async () => {
  await using shop = await openShop();
  const { server } = shop;
  const { id, known } = await deleteUnknownCustomer(shop);
  const waiting = () =>
    server.context.db
      .selectFrom('subscriptions')
      .select('account_id')
      .where('cancel_requested_at', 'is not', null)
      .execute();
  server.clock.advance(days(2));
  await server.runJob('purge');
  const ask = await holdfast(server, 'account', 'forget-payments', `--id=${id}`);
  expect(ask).toMatchObject({ code: 2, err: expect.stringContaining(known.id) });
  expect(await waiting()).toHaveLength(1);
  const forget = () =>
    holdfastJson(server, 'account', 'forget-payments', `--id=${id}`, '--yes', '--because', 'of the sandbox');
  expect(await forget()).toEqual([{ account: id, customer: known.id, plan: null }]);
  expect(await waiting()).toEqual([]);
  expect(await holdfastJson(server, 'audit')).toMatchObject([
    { action: 'account forget-payments', subject: id, details: { customer: known.id, because: 'of the sandbox' } },
  ]);
  expect(await holdfast(server, 'account', 'forget-payments', `--id=${id}`, '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing to forget'),
  });
  server.clock.advance(days(31));
  expect(await server.runJob('reconcile-subscriptions')).toMatchObject({ customers: 0 });
  const codes = [['--id', 'nobody'], ['nobody@example.com'], [], ['--id', id, 'ada@example.com']].map(
    async (args) => (await holdfast(server, 'account', 'forget-payments', ...args, '--yes')).code,
  );
  expect(await Promise.all(codes)).toEqual([1, 1, 2, 2]);
});

test('forget-payments ends the plan of an open account only if its customer is unknown', async () => {
  await using shop = await openShop();
  const { server, stripe } = shop;
  const person = await signUpAndIn(server);
  await shop.buy(person, 'basic_monthly');
  const forget = () => holdfast(server, 'account', 'forget-payments', person.email, '--yes', '--json');
  expect(await forget()).toMatchObject({ code: 1, out: '' });
  expect(await levelOf(person)).toBe('Basic');
  const customer = await shop.customerOf(person);
  stripe.state.customers.delete(customer);
  server.clock.advance(1);
  await server.runJob('reconcile-subscriptions');
  expect(JSON.parse((await forget()).out)).toMatchObject({ customer, plan: 'free' });
  expect(await levelOf(person)).toBe('Free');
  await shop.buy(person, 'power_monthly');
  expect(await levelOf(person)).toBe('Power');
});
