/** Which accounts are dormant, and how far. Every condition is asked again where it has its effect. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Context } from '../context.ts';
import type { AccountRow, Schema } from '../engines/database/schema.ts';
import { clockSkew, days } from '../lib/clock.ts';
import type { RunningTime } from './running-time.ts';

/** 12 months are never more than this. */
export const dormantAfter = days(366);
export const firstLetterAhead = days(30);
export const lastLetterAhead = days(7);
/** An owner who could not be warned may be reached later; a dead address is not written to each night. */
const triedAgainAfter = days(7);

export type DormantAccount = Pick<AccountRow, 'id' | 'email' | 'last_active_at' | 'first_warned_at'>;
export type Rule = (running: RunningTime) => (eb: ExpressionBuilder<Schema, 'accounts'>) => Expression<SqlBool>;

export const isToBeWarnedFirst: Rule = (running) => (eb) =>
  eb.and([
    unusedSince(eb, running.now - dormantAfter + firstLetterAhead),
    eb.not(isWarned(eb, 'first_warned_at', running)),
    canBeWarned(eb, running),
  ]);

/** Only when the first letter has had its time: a server that was off for a year warns first. */
export const isToBeWarnedLast: Rule = (running) => (eb) =>
  eb.and([
    unusedSince(eb, running.now - dormantAfter + lastLetterAhead),
    isWarned(eb, 'first_warned_at', running),
    eb('first_warned_at', '<=', running.now - firstLetterAhead + lastLetterAhead),
    eb.not(isWarned(eb, 'last_warned_at', running)),
    canBeWarned(eb, running),
  ]);

/** The week after the last letter is one in which the service ran: nobody can come back to one that is off. */
export const isToLoseFiles: Rule = (running) => (eb) =>
  eb.and([
    unusedSince(eb, running.now - dormantAfter),
    isWarned(eb, 'first_warned_at', running),
    eb('first_warned_at', '<=', running.now - firstLetterAhead),
    isWarned(eb, 'last_warned_at', running),
    eb('last_warned_at', '<=', running.limitOf(lastLetterAhead)),
  ]);

/**
 * A warning that is older than the last activity is one of an earlier time. One from before a restore counts for nothing:
 * its owner may have come back after the backup.
 */
const isWarned = (
  eb: ExpressionBuilder<Schema, 'accounts'>,
  column: 'first_warned_at' | 'last_warned_at',
  { restoredAt }: RunningTime,
) => eb.and([eb(column, '>', eb.ref('last_active_at')), eb(column, '>', restoredAt)]);

/** While a warning waits for a mail server there is no other, and none for a while after one was given up. */
const canBeWarned = (eb: ExpressionBuilder<Schema, 'accounts'>, { now }: RunningTime) =>
  eb.and([
    eb.not(
      eb.exists(eb.selectFrom('letters').select('letters.id').whereRef('letters.warns_account', '=', 'accounts.id')),
    ),
    eb.or([
      eb('warning_failed_at', '<=', now - triedAgainAfter),
      // Of a clock that has jumped back since.
      eb('warning_failed_at', '>', now + clockSkew),
    ]),
  ]);

/** Who pays uses it, and who has no files has nothing to lose. */
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

/** All that a rule is true of, in bounded steps. */
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
