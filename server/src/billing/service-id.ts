import type { Database } from '../engines/database/database.ts';
import { readFact } from '../engines/database/service-facts.ts';
import type { ProviderCustomer } from '../engines/payments/payments.ts';

/** The id that this service has, and keeps in a restore; null where it has none. */
export async function serviceIdOf(db: Database): Promise<string | null> {
  return (await readFact(db, 'id'))?.value ?? null;
}

/** Several services may share one account at the provider. What was made without an id may be anybody's. */
export const isOfAnother = ({ serviceId }: ProviderCustomer, own: string | null): boolean =>
  serviceId !== null && own !== null && serviceId !== own;
