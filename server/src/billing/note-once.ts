import type { Context } from '../context.ts';

/** Notes that what `id` stands for had its effect: an event, or the letter about a subscription. False: it had before. */
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
