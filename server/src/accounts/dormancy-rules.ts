/** An account unused for 12 months loses its files, favorites too, after two warnings. */
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import type { Warns } from '../email/queue-email.ts';
import { days } from '../lib/clock.ts';
import type { AccountRow, Schema } from '../storage/db/schema.ts';

const dormantAfter = days(366);
const ahead = { first: days(30), last: days(7) };
const triedAgainAfter = days(7);

type Accounts = ExpressionBuilder<Schema, 'accounts'>;

/** If emails do not reach people, no owner reads the warnings. */
export const keepsDormant = ({ config, mail }: Pick<Context, 'config' | 'mail'>): boolean =>
  (config.dormantAccounts ?? (mail.reachesPeople ? 'delete' : 'keep')) === 'keep';

export const isToBeWarnedFirst = (now: number) => (eb: Accounts) =>
  eb.and([
    unusedSince(eb, now - dormantAfter + ahead.first),
    eb.not(isWarned(eb, 'first_warned_at')),
    canBeWarned(eb, now),
  ]);

export const isToBeWarnedLast = (now: number) => (eb: Accounts) =>
  eb.and([
    unusedSince(eb, now - dormantAfter + ahead.last),
    isWarned(eb, 'first_warned_at', now - ahead.first + ahead.last),
    eb.not(isWarned(eb, 'last_warned_at')),
    canBeWarned(eb, now),
  ]);

export const isToLoseFiles = (now: number) => (eb: Accounts) =>
  eb.and([
    unusedSince(eb, now - dormantAfter),
    isWarned(eb, 'first_warned_at', now - ahead.first),
    isWarned(eb, 'last_warned_at', now - ahead.last),
  ]);

/** An owner who is warned late gets as much time as every other owner. */
export const earliestDeletion = (
  account: Pick<AccountRow, 'last_active_at' | 'first_warned_at'>,
  warning: Warns['warning'],
  now: number,
): number =>
  Math.max(account.last_active_at + dormantAfter, account.first_warned_at + ahead.first, now + ahead[warning]);

const unusedSince = (eb: Accounts, time: number) =>
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

const isWarned = (eb: Accounts, column: 'first_warned_at' | 'last_warned_at', until = Number.MAX_SAFE_INTEGER) =>
  eb.and([eb(column, '>', eb.ref('last_active_at')), eb(column, '<=', until)]);

/** No warning is sent while one waits for a mail server, nor soon after one was given up. */
const canBeWarned = (eb: Accounts, now: number) =>
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
