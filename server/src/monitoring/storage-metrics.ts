import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import { days } from '../lib/clock.ts';

export interface StorageMetrics {
  readonly plans: readonly {
    readonly plan: PlanLevel;
    readonly accounts: number;
    readonly files: number;
    readonly bytes: number;
  }[];
  readonly pendingScans: number;
  readonly emailsWaiting: number;
  /** Unused accounts whose owner no warning reaches: their files are kept. */
  readonly ownersUnreached: number;
  /**
   * Paying accounts without a subscription snapshot from the payment provider for longer than the nightly
   * reconciliation explains.
   */
  readonly paymentsUnread: number;
  /** Open accounts whose plan was paid in the last snapshot, and whose customer the provider does not know. */
}

const snapshotIsLateAfter = days(2);

/**
 * Current totals. Files and bytes come from the sums that accounts carry, because counting a hundred million rows takes
 * too long.
 */
export async function measureStorage({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<StorageMetrics> {
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
  const emails = await db
    .selectFrom('outgoing_emails')
    .select((eb) => eb.fn.countAll<number>().as('emails'))
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
    .where('read_at', '<', clock.now() - snapshotIsLateAfter)
    .where('status', 'in', ['active', 'past_due'])
    .executeTakeFirstOrThrow();
  return {
    // PostgreSQL returns sums of bigint in a wider type, as text.
    plans: plans.map((row) => ({ ...row, files: Number(row.files), bytes: Number(row.bytes) })),
    pendingScans: pending.files,
    emailsWaiting: emails.emails,
    ownersUnreached: unreached.accounts,
    paymentsUnread: unread.accounts,
  };
}
