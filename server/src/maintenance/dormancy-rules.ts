/** Which accounts are dormant, and how far (decisions section 4). Every condition is asked again where it has its effect. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Context } from '../context.ts';
import type { AccountRow, Schema } from '../engines/database/schema.ts';
import { days } from '../lib/clock.ts';

/** 12 months are never more than this. */
export const dormantAfter = days(366);
export const firstLetterAhead = days(30);
export const lastLetterAhead = days(7);

export type DormantAccount = Pick<AccountRow, 'id' | 'email' | 'last_active_at' | 'first_warned_at'>;
type Rule = (now: number) => (eb: ExpressionBuilder<Schema, 'accounts'>) => Expression<SqlBool>;

/** A warning that is older than the last activity is one of an earlier time. */
export const isToBeWarnedFirst: Rule = (now) => (eb) =>
  eb.and([
    unusedSince(eb, now - dormantAfter + firstLetterAhead),
    eb('first_warned_at', '<=', eb.ref('last_active_at')),
  ]);

/** Only when the first letter has had its time: a server that was off for a year warns first. */
export const isToBeWarnedLast: Rule = (now) => (eb) =>
  eb.and([
    unusedSince(eb, now - dormantAfter + lastLetterAhead),
    eb('first_warned_at', '>', eb.ref('last_active_at')),
    eb('first_warned_at', '<=', now - firstLetterAhead + lastLetterAhead),
    eb('last_warned_at', '<=', eb.ref('last_active_at')),
  ]);

export const isToLoseFiles: Rule = (now) => (eb) =>
  eb.and([
    unusedSince(eb, now - dormantAfter),
    eb('first_warned_at', '>', eb.ref('last_active_at')),
    eb('first_warned_at', '<=', now - firstLetterAhead),
    eb('last_warned_at', '>', eb.ref('last_active_at')),
    eb('last_warned_at', '<=', now - lastLetterAhead),
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
export async function* dormantFrom({ db, clock }: Context, rule: Rule): AsyncGenerator<DormantAccount> {
  for (let last = ''; ;) {
    const accounts = await db
      .selectFrom('accounts')
      .select(['id', 'email', 'last_active_at', 'first_warned_at'])
      .where(rule(clock.now()))
      .where('id', '>', last)
      .orderBy('id')
      .limit(accountsAtOnce)
      .execute();
    yield* accounts;
    if (accounts.length < accountsAtOnce) return;
    last = accounts.at(-1)?.id ?? '';
  }
}
