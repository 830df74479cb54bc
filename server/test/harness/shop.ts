import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { test as base } from 'vitest';
import { type OfferName, paymentEventsPath, subscriptionPath } from '@holdfast/contract/src/plans.ts';
import { type StripeStandIn, startStripe } from '@holdfast/test-support/stand-ins/stripe.ts';
import { type SignedIn, signUpAndIn } from './accounts.ts';
import type { Browser } from './browser.ts';
import { startServer, type TestServer } from './start-server.ts';
import './short-stripe-pauses.ts';

/** A server that sells plans, and a provider that delivers every event to it at once. */
export interface Shop extends AsyncDisposable {
  readonly server: TestServer;
  readonly stripe: StripeStandIn;
  readonly eventsUrl: string;
  /** Opens the subscription address and returns the redirect target. */
  visit(browser: Browser, plan?: string, headers?: Record<string, string>): Promise<string>;
  /** Buys a plan as a person would, and waits until the server knows. */
  buy(person: SignedIn, plan: OfferName): Promise<void>;
  /** Returns the person's customer at the provider. */
  customerOf(person: SignedIn): Promise<string>;
}

/**
 * With `at`, the shop uses the provider of another shop and receives its events from then on. The provider keeps the
 * clock of the first shop.
 */
export async function openShop(environment: Record<string, string> = {}, at?: StripeStandIn): Promise<Shop> {
  const opened = new AsyncDisposableStack();
  let time = () => Date.now();
  const stripe = at ?? opened.use(await startStripe({ clock: { now: () => time() } }));
  const server = opened.use(await startServer({ ...stripe.environment, ...environment }));
  time = () => server.clock.now();
  const eventsUrl = server.url + paymentEventsPath;
  stripe.deliverTo(eventsUrl);
  const visit: Shop['visit'] = async (browser, plan, headers = {}) => {
    const { status, headers: answer } = await goTo(server, planPath(plan), { ...fromOurPage(browser), ...headers });
    if (status !== 303) throw new Error(`it answered ${status}`);
    return answer.location ?? '';
  };
  const closing = opened.move();
  return {
    server,
    stripe,
    eventsUrl,
    visit,
    async buy(person, plan) {
      await payAt(await visit(person.browser, plan));
      await stripe.delivered();
    },
    async customerOf({ email }) {
      const { customer_id } = await server.context.db
        .selectFrom('subscriptions')
        .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
        .select('customer_id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      return customer_id ?? '';
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Each test has a shop of its own, and a person who has bought nothing yet. */
export const shopTest = base
  .extend('shop', async ({}, { onCleanup }) => {
    const shop = await openShop();
    onCleanup(() => shop[Symbol.asyncDispose]());
    return shop;
  })
  .extend('person', ({ shop }) => signUpAndIn(shop.server));

export const planPath = (plan?: string): string =>
  plan === undefined ? subscriptionPath : `${subscriptionPath}?${new URLSearchParams({ plan }).toString()}`;

export const cookiesOf = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

const fromOurPage = (browser: Browser) => ({
  Cookie: cookiesOf(browser),
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'navigate',
});

/** Navigates with only these headers: `fetch` would identify itself as a script. */
export async function goTo({ url }: Pick<TestServer, 'url'>, path: string, headers: Record<string, string>) {
  const request = get(url + path, { headers, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  await text(answer);
  return { status: answer.statusCode, headers: answer.headers };
}

/**
 * Pays at a checkout as a person would. Returns the redirect target, or null if the checkout cannot be paid any more.
 */
export async function payAt(url: string): Promise<string | null> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: 'pay' }), redirect: 'manual' });
  await answer.arrayBuffer();
  return answer.headers.get('Location');
}

export const levelOf = async ({ browser }: SignedIn) => (await browser.client.getAccountInfo()).account.info.level;
export const subscriptionOf = async ({ browser }: SignedIn) => (await browser.client.getSubscription()).subscription;

/** Subjects of the emails about money that a person received, newest last. */
export async function billingEmails(shop: Shop, { email }: SignedIn): Promise<string[]> {
  const emails = (await shop.server.mail.emails()).filter(({ to }) => to === email);
  return emails.map(({ subject }) => subject).filter((subject) => subject.includes('plan'));
}
