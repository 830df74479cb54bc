import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { type SignedIn, signUpAndIn } from './accounts.ts';
import type { Shop } from './shop.ts';

export type Subscriber = Awaited<ReturnType<typeof subscribed>>;

/** A new person who has bought a plan. */
export async function subscribed(shop: Shop, plan: 'basic_monthly' | 'power_yearly' = 'basic_monthly') {
  const person = await signUpAndIn(shop.server);
  await shop.buy(person, plan);
  const customer = await shop.customerOf(person);
  const own = [...shop.stripe.state.subscriptions.values()].find((each) => each.customer === customer);
  if (!own) throw new Error('nothing was bought');
  return { shop, person, id: own.id, customer };
}

export async function subscriptionRowOf({ server }: Shop, { email }: SignedIn) {
  return server.context.db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .selectAll('subscriptions')
    .select('accounts.level as account_level')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
}

/** Reads the levels from the database: a session ends before some plans do. */
export function levelsOf(...all: readonly Subscriber[]): Promise<PlanLevel[]> {
  return Promise.all(all.map(async ({ person, shop }) => (await subscriptionRowOf(shop, person)).account_level));
}
