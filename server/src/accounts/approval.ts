import { type ExpressionBuilder, sql } from 'kysely';
import { queueEmail } from '../email/queue-email.ts';
import { wantsToJoinEmail } from '../email/templates.ts';
import type { Context } from '../context.ts';
import type { AccountRow, Schema } from '../storage/db/schema.ts';

/**
 * The columns of an account whose owner has just proved the address. If an operator has to approve it first, it waits,
 * and counts as unverified everywhere.
 */
export const provedColumns = (eb: ExpressionBuilder<Schema, 'accounts'>, now: number) => ({
  verified_at: sql<
    number | null
  >`CASE WHEN ${eb.ref('needs_approval')} = 1 THEN verified_at ELSE coalesce(verified_at, ${now}) END`,
  asked_at: sql<
    number | null
  >`CASE WHEN ${eb.ref('needs_approval')} = 1 THEN coalesce(asked_at, ${now}) ELSE asked_at END`,
});

/** Returns whether the account waits for an operator. */
export const isWaiting = ({ verified_at, asked_at }: Pick<AccountRow, 'verified_at' | 'asked_at'>): boolean =>
  verified_at === null && asked_at !== null;

/** Tells the operator, in the transaction in which the account begins to wait. */
export async function announceWaiting(
  context: Pick<Context, 'config' | 'origins' | 'db' | 'clock' | 'secret' | 'log'>,
  { id, email }: Pick<AccountRow, 'id' | 'email'>,
): Promise<void> {
  const { contactEmail } = context.config.site;
  context.log.info({ event: 'approval', outcome: 'asked', account: id }, 'an account waits for approval');
  if (contactEmail !== null) await queueEmail(context, wantsToJoinEmail(context, contactEmail, email));
}
