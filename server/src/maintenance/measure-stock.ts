import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import { days } from '../lib/clock.ts';

export interface Stock {
  readonly plans: readonly {
    readonly plan: PlanLevel;
    readonly accounts: number;
    readonly files: number;
    readonly bytes: number;
  }[];
  readonly pendingScans: number;
  readonly lettersWaiting: number;
  /** Accounts that nobody uses and whose owner no warning reaches: their files are kept. */
  readonly ownersUnreached: number;
  /** Accounts that pay, of whom the payment provider has told nothing for longer than the nightly reading explains. */
  readonly paymentsUnread: number;
  /** Open accounts whose plan was paid for when that was last known, by a customer whom the provider does not know. */
  readonly paymentsUnknown: number;
}

const readingIsLateAfter = days(2);

/** What there is. Files and bytes are the sums that accounts carry: nobody counts a hundred million rows. */
export async function measureStock({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<Stock> {
  const plans = await db
    .selectFrom('accounts')
    .select((eb) => [
      'level as plan',
      eb.fn.countAll<number>().as('accounts'),
      eb.fn.sum<number | string>('slots_used').as('files'),
      eb.fn.sum<number | string>('space_used').as('bytes'),
    ])
    .where('closed_at', 'is', null)
    .groupBy('level')
    .execute();
  const pending = await db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('pending_scan', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const letters = await db
    .selectFrom('letters')
    .select((eb) => eb.fn.countAll<number>().as('letters'))
    .executeTakeFirstOrThrow();
  const unreached = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('accounts'))
    .where('closed_at', 'is', null)
    .whereRef('warning_failed_at', '>', 'last_active_at')
    .executeTakeFirstOrThrow();
  const unread = await db
    .selectFrom('subscriptions')
    .select((eb) => eb.fn.countAll<number>().as('accounts'))
    .where('customer_id', 'is not', null)
    .where('read_at', '<', clock.now() - readingIsLateAfter)
    .where('status', 'in', ['active', 'past_due'])
    .where('unknown_since', 'is', null)
    .executeTakeFirstOrThrow();
  const unknown = await db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .select((eb) => eb.fn.countAll<number>().as('accounts'))
    .where('unknown_since', 'is not', null)
    .where('status', 'in', ['active', 'past_due'])
    .where('grace_over', '=', 0)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    // PostgreSQL's sums of bigint are of a wider type, which comes as text.
    plans: plans.map((row) => ({ ...row, files: Number(row.files), bytes: Number(row.bytes) })),
    pendingScans: pending.files,
    lettersWaiting: letters.letters,
    ownersUnreached: unreached.accounts,
    paymentsUnread: unread.accounts,
    paymentsUnknown: unknown.accounts,
  };
}
