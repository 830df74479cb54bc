/** Rules for which accounts are dormant and at which stage. Every condition is checked again where it takes effect. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Context } from '../context.ts';
import type { AccountRow, Schema } from '../storage/db/schema.ts';
import { days } from '../lib/clock.ts';

/** The most days that 12 months can have. */
export const dormantAfter = days(366);
export const firstWarningAhead = days(30);
export const lastWarningAhead = days(7);
/** An owner who could not be warned may be reachable later; a dead address is not tried every night. */
const triedAgainAfter = days(7);

export type DormantAccount = Pick<AccountRow, 'id' | 'email' | 'last_active_at' | 'first_warned_at'>;
export type Rule = (now: number) => (eb: ExpressionBuilder<Schema, 'accounts'>) => Expression<SqlBool>;

export const isToBeWarnedFirst: Rule = (now) => (eb) =>
  eb.and([
    unusedSince(eb, now - dormantAfter + firstWarningAhead),
    eb.not(isWarned(eb, 'first_warned_at')),
    canBeWarned(eb, now),
  ]);

/** Only after the period that follows the first warning: a server that was off for a year sends warnings first. */
export const isToBeWarnedLast: Rule = (now) => (eb) =>
  eb.and([
    unusedSince(eb, now - dormantAfter + lastWarningAhead),
    isWarned(eb, 'first_warned_at'),
    eb('first_warned_at', '<=', now - firstWarningAhead + lastWarningAhead),
    eb.not(isWarned(eb, 'last_warned_at')),
    canBeWarned(eb, now),
  ]);

export const isToLoseFiles: Rule = (now) => (eb) =>
  eb.and([
    unusedSince(eb, now - dormantAfter),
    isWarned(eb, 'first_warned_at'),
    eb('first_warned_at', '<=', now - firstWarningAhead),
    isWarned(eb, 'last_warned_at'),
    eb('last_warned_at', '<=', now - lastWarningAhead),
  ]);

/** A warning older than the last activity belongs to an earlier period. */
const isWarned = (eb: ExpressionBuilder<Schema, 'accounts'>, column: 'first_warned_at' | 'last_warned_at') =>
  eb(column, '>', eb.ref('last_active_at'));

/** No second warning is sent while one waits for a mail server, and none for a while after one was given up. */
const canBeWarned = (eb: ExpressionBuilder<Schema, 'accounts'>, now: number) =>
  eb.and([
    eb.not(
      eb.exists(
        eb
          .selectFrom('outgoing_emails')
          .select('outgoing_emails.id')
          .whereRef('outgoing_emails.warns_account', '=', 'accounts.id'),
      ),
    ),
    eb('warning_failed_at', '<=', now - triedAgainAfter),
  ]);

/** A paid account counts as used, and an account without files has nothing to lose. */
const unusedSince = (eb: ExpressionBuilder<Schema, 'accounts'>, time: number) =>
  eb.and([
    eb('last_active_at', '<=', time),
    eb('slots_used', '>', 0),
    eb('closed_at', 'is', null),
    eb.not(
      eb.exists(
        eb
          .selectFrom('subscriptions')
          .select('subscriptions.account_id')
          .whereRef('subscriptions.account_id', '=', 'accounts.id')
          .where('subscriptions.status', 'in', ['active', 'past_due']),
      ),
    ),
  ]);

const accountsAtOnce = 250;

/** Yields all accounts that match a rule, in bounded steps. */
export async function* dormantFrom({ db }: Context, rule: ReturnType<Rule>): AsyncGenerator<DormantAccount> {
  for (let last = ''; ;) {
    const accounts = await db
      .selectFrom('accounts')
      .select(['id', 'email', 'last_active_at', 'first_warned_at'])
      .where(rule)
      .where('id', '>', last)
      .orderBy('id')
      .limit(accountsAtOnce)
      .execute();
    yield* accounts;
    if (accounts.length < accountsAtOnce) return;
    last = accounts.at(-1)?.id ?? '';
  }
}
