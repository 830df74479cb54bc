import type { Database } from '../engines/database/database.ts';
import { readFact } from '../engines/database/service-facts.ts';
import type { ProviderCustomer } from '../engines/payments/payments.ts';

/** The id of this service, which survives a restore; null if it has none. */
export async function serviceIdOf(db: Database): Promise<string | null> {
  return (await readFact(db, 'id'))?.value ?? null;
}

/**
 * Several services may share one account at the provider. A customer without a service id may belong to any of them.
 */
export const isOfAnother = ({ serviceId }: ProviderCustomer, own: string | null): boolean =>
  serviceId !== null && own !== null && serviceId !== own;
