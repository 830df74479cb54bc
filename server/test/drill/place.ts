/** Where the drill happens: a service with a payment provider, folders for backups, and a new place to restore into. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OfferName, paymentEventsPath } from '@holdfast/contract/src/plans.ts';
import { readConfig } from '../../src/config.ts';
import { type StripeStandIn, startStripe } from '../../src/engines/payments/stripe-stand-in.ts';
import { checkStorage } from '../../src/maintenance/service-id.ts';
import { cookiesOf, goTo, payAt, planPath } from '../harness/shop.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { createTestDatabase } from '../harness/test-database.ts';
import type { Person } from './people.ts';

export async function newFolder(owner: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-drill-'));
  owner.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The provider outlives the service, and goes by the clock of the one that runs. */
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

/** A data folder with nothing in it, and an empty database. */
export async function newPlace(owner: AsyncDisposableStack) {
  const dataDir = await newFolder(owner);
  const database = owner.use(await createTestDatabase());
  const environment = { DATA_DIR: dataDir, ...(database.url !== null && { DATABASE_URL: database.url }) };
  return { dataDir, environment, context: { config: readConfig(environment) } };
}

/** Buys a plan as a person would, and waits until the provider has told of it. */
export async function buyAs(server: TestServer, stripe: StripeStandIn, person: Person, plan: OfferName): Promise<void> {
  const headers = { Cookie: cookiesOf(person.browser), 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' };
  const { status, headers: answer } = await goTo(server, planPath(plan), headers);
  if (status !== 303) throw new Error(`the plan page answered ${status}`);
  await payAt(answer.location ?? '');
  await stripe.delivered();
}

/** What the provider takes money for: the account of each subscription that has not ended. */
export function paidAccounts({ state }: StripeStandIn): string[] {
  return [...state.subscriptions.values()]
    .filter(({ status }) => status === 'active' || status === 'past_due')
    .map(({ customer }) => state.customers.get(customer)?.metadata['account'] ?? 'nobody');
}
