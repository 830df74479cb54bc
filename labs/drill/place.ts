/** The environment of the drill: a service with a payment provider. */
import { type OfferName, paymentEventsPath } from '@holdfast/contract/src/plans.ts';
import { type StripeStandIn, startStripe } from '@holdfast/test-support/stand-ins/stripe.ts';
import { checkStorage } from '../../server/src/engines/blobs/storage-owner.ts';
import { cookiesOf, goTo, payAt, planPath } from '../../server/test/harness/shop.ts';
import { startServer, type TestServer } from '../../server/test/harness/start-server.ts';
import type { Person } from './people.ts';

/** The provider outlives the service, and uses the clock of the running one. */
export interface Provider {
  readonly stripe: StripeStandIn;
  readonly startService: (environment?: Record<string, string>) => Promise<TestServer>;
}

export async function startProvider(owner: AsyncDisposableStack): Promise<Provider> {
  let now = () => Date.now();
  const stripe = owner.use(await startStripe({ clock: { now: () => now() } }));
  return {
    stripe,
    async startService(environment = {}) {
      const server = await startServer({ ...stripe.environment, ...environment });
      now = () => server.clock.now();
      // As the process does at its start.
      await checkStorage(server.context);
      stripe.deliverTo(server.url + paymentEventsPath);
      return server;
    },
  };
}

/** Buys a plan as a person would, and waits until the provider has delivered the event. */
export async function buyAs(server: TestServer, stripe: StripeStandIn, person: Person, plan: OfferName): Promise<void> {
  const headers = { Cookie: cookiesOf(person.browser), 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' };
  const { status, headers: answer } = await goTo(server, planPath(plan), headers);
  if (status !== 303) throw new Error(`the plan page answered ${status}`);
  await payAt(answer.location ?? '');
  await stripe.delivered();
}

/** Returns the account of each subscription that the provider bills, because it has not ended. */
export function paidAccounts({ state }: StripeStandIn): string[] {
  return [...state.subscriptions.values()]
    .filter(({ status }) => status === 'active' || status === 'past_due')
    .map(({ customer }) => state.customers.get(customer)?.metadata['account'] ?? 'nobody');
}
