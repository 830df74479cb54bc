import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { clockSkew, minutes } from '../lib/clock.ts';

/**
 * Longer than all provider requests made under the lease. A process that still holds an expired lease has been killed.
 */
const leaseFor = minutes(3);
const lookEveryMs = 100;
const looks = 80;

/**
 * Runs `open` for one caller at a time per account, across all processes. Returns null if others held the lease too
 * long.
 */
export async function withCheckoutLease<T>(
  context: Pick<Context, 'db' | 'clock'>,
  accountId: string,
  open: () => Promise<T>,
): Promise<T | null> {
  const { db, clock } = context;
  await db
    .insertInto('subscriptions')
    .values({ account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (let look = 0; look < looks; look += 1) {
    const until = clock.now() + leaseFor;
    if (await take(context, accountId, until)) {
      try {
        return await open();
      } finally {
        await db
          .updateTable('subscriptions')
          .set({ checkout_leased_until: 0 })
          .where('account_id', '=', accountId)
          .where('checkout_leased_until', '=', until)
          .execute();
      }
    }
    await pause(lookEveryMs);
  }
  return null;
}

async function take({ db, clock }: Pick<Context, 'db' | 'clock'>, accountId: string, until: number): Promise<boolean> {
  const now = clock.now();
  const taken = await db
    .updateTable('subscriptions')
    .set({ checkout_leased_until: until })
    .where('account_id', '=', accountId)
    // A lease that ends much later than a new one would was taken before the clock was set back. The clock of the process
    // that took it may be a little ahead.
    .where((eb) =>
      eb.or([eb('checkout_leased_until', '<=', now), eb('checkout_leased_until', '>', now + leaseFor + clockSkew)]),
    )
    .executeTakeFirst();
  return Number(taken.numUpdatedRows) === 1;
}
