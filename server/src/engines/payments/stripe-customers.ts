/**
 * Identifies Stripe's customers by their metadata: whether they belong to this kind of service, and to which account.
 */
import { Stripe } from 'stripe';
import type { CheckoutBuyer, ProviderCustomer } from './payments.ts';
import { type Ask, isMissing } from './stripe-ask.ts';

/** Page size. */
const limit = 100;

/** Returns an existing customer, even if its id was lost here by restoring a backup, or creates a new one. */
export async function customerFor(
  stripe: Stripe,
  { accountId, email, serviceId, before }: CheckoutBuyer,
): Promise<string> {
  for await (const namesake of stripe.customers.list({ email, limit })) {
    const found = read(namesake);
    const isOthers = found?.serviceId && serviceId !== null && found.serviceId !== serviceId;
    if (found?.accountId === accountId && !isOthers) return found.id;
  }
  const made = await stripe.customers.create(
    { email, metadata: { account: accountId, ...(serviceId !== null && { service: serviceId }) } },
    { idempotencyKey: `holdfast customer ${accountId}${serviceId === null ? '' : ` of ${serviceId}`} after ${before}` },
  );
  return made.id;
}

export async function findCustomer(stripe: Stripe, id: string): Promise<ProviderCustomer | null> {
  const found = await retrieve(stripe, id);
  return found && !found.deleted ? read(found) : null;
}

/** Returns null if Stripe does not know the customer. */
export async function retrieve(stripe: Stripe, id: string): Promise<Stripe.Customer | Stripe.DeletedCustomer | null> {
  try {
    return await stripe.customers.retrieve(id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Each page has its own time limit, because there may be thousands. */
export async function* allCustomers(ask: Ask): AsyncGenerator<ProviderCustomer> {
  for (let after: string | undefined; ;) {
    const page = await ask((stripe) =>
      stripe.customers.list({ limit, ...(after !== undefined && { starting_after: after }) }),
    );
    for (const each of page.data) {
      const found = read(each);
      if (found) yield found;
    }
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) return;
  }
}

/**
 * Searches by metadata, so that no email address of an account that never paid is sent. Stripe's search lags by up to a
 * minute, or up to an hour during an outage. Where search is unavailable, as for accounts in India, all customers are
 * read.
 */
export async function* customersOf(ask: Ask, accountId: string): AsyncGenerator<ProviderCustomer> {
  const query = `metadata['account']:'${accountId}'`;
  const found = await ask(async (stripe) => {
    try {
      return await stripe.customers.search({ query, limit }).autoPagingToArray({ limit: 1000 });
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
      throw error;
    }
  });
  if (found) yield* found.flatMap((each) => read(each) ?? []).filter((each) => each.accountId === accountId);
  else for await (const each of allCustomers(ask)) if (each.accountId === accountId) yield each;
}

function read({ id, metadata, created }: Stripe.Customer): ProviderCustomer | null {
  const { account, service } = metadata;
  if (!account) return null;
  return { id, accountId: account, serviceId: service || null, createdAt: created * 1000 };
}
