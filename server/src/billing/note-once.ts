import type { Context } from '../context.ts';

/**
 * Records that the effect of `id` has happened: an event, or the email about a subscription. Returns false if it was
 * recorded before.
 */
export async function noteOnce(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  id: string,
  type: string,
): Promise<boolean> {
  const noted = await db
    .insertInto('payment_events')
    .values({ id, type, received_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(noted.numInsertedOrUpdatedRows ?? 0) === 1;
}
