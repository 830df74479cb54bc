import { expect } from 'vitest';
import { signUpAndIn } from './accounts.ts';
import type { Shop } from './shop.ts';

/** An account that is deleted while the provider does not know its customer. */
export async function deleteUnknownCustomer(shop: Shop) {
  const { server, stripe } = shop;
  const person = await signUpAndIn(server);
  await shop.buy(person, 'basic_monthly');
  const known = stripe.state.customers.get(await shop.customerOf(person));
  const { id } = await server.context.db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', person.email)
    .executeTakeFirstOrThrow();
  if (!known) throw new Error('nothing was bought');
  stripe.state.customers.delete(known.id);
  await person.browser.client.deleteAccount();
  await expect.poll(() => server.log.filter((line) => line.includes('ALARM')).length).toBe(1);
  return { id, known, comesBack: () => void stripe.state.customers.set(known.id, known) };
}
