import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { Limit } from '../engines/counters/counters.ts';
import { seconds } from '../lib/clock.ts';

/** Far above what a person does. */
const perAccount: Limit = { capacity: 20, everyMs: seconds(6) };

/**
 * Each visit sends up to half a dozen requests to the provider, whose rate limit is shared by all buyers and by the
 * handling of its events.
 * @throws {Failure} RATE_LIMITED
 */
export async function limitBillingRedirects({ counters }: Pick<Context, 'counters'>, accountId: string): Promise<void> {
  const { allowed } = await counters.take(`plan visits of ${accountId}`, perAccount);
  if (!allowed) throw new Failure('RATE_LIMITED');
}
