/** An account unused for 12 months loses its files, favorites too, after two warnings that name the day. */
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import type { Warns } from '../email/queue-email.ts';
import { endOfDay } from '../lib/calendar-days.ts';
import { days } from '../lib/clock.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow, Schema } from '../storage/db/schema.ts';
import { zoneOf } from './timezone.ts';

const dormantAfter = days(366);
const ahead = { first: days(30), last: days(7) };
const triedAgainAfter = days(7);
/** If nothing was deleted soon after the day that the warnings named, the owner is warned anew. */
const goodFor = days(7);

type Accounts = ExpressionBuilder<Schema, 'accounts'>;

/** If emails do not reach people, no owner reads the warnings. */
export const keepsDormant = ({ config, mail }: Pick<Context, 'config' | 'mail'>): boolean =>
  (config.dormantAccounts ?? (mail.reachesPeople ? 'delete' : 'keep')) === 'keep';

export const isToBeWarnedFirst = (now: number) => (eb: Accounts) =>
  eb.and([
    unusedSince(eb, now - dormantAfter + ahead.first),
    eb.not(isWarned(eb, 'first_warned_at', now)),
    canBeWarned(eb, now),
  ]);

export const isToBeWarnedLast = (now: number) => (eb: Accounts) =>
  eb.and([
    unusedSince(eb, now - dormantAfter + ahead.first),
    isWarned(eb, 'first_warned_at', now),
    eb.not(isWarned(eb, 'last_warned_at', now)),
    // The job runs once a day, and an email may take a while.
    eb('deletion_due_at', '<=', now + ahead.last + days(1)),
    canBeWarned(eb, now),
  ]);

export const isToLoseFiles = (now: number) => (eb: Accounts) =>
  eb.and([
    unusedSince(eb, now - dormantAfter),
    isWarned(eb, 'first_warned_at', now, now - ahead.first),
    isWarned(eb, 'last_warned_at', now, now - ahead.last),
    eb('deletion_due_at', '<=', now),
  ]);

/** The end of the day to name. An owner who is warned late gets as much time as every other owner. */
export const deletionDue = (
  account: Pick<AccountRow, 'last_active_at' | 'first_warned_at' | 'deletion_due_at' | 'timezone' | 'timezone_auto'>,
  warning: Warns['warning'],
  now: number,
): number => {
  const { last_active_at, first_warned_at, deletion_due_at } = account;
  const earliest = [last_active_at + dormantAfter, now + ahead[warning]];
  if (warning === 'last') earliest.push(deletion_due_at, first_warned_at + ahead.first);
  return endOfDay(Math.max(...earliest) - 1, zoneOf(account));
};

/** In the transaction that begins or ends what keeps the files, or brings files back. */
export async function warnAnew(tx: Transaction, accountId: string): Promise<void> {
  await tx.updateTable('accounts').set({ deletion_due_at: 0 }).where('id', '=', accountId).execute();
}

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

const isWarned = (
  eb: Accounts,
  column: 'first_warned_at' | 'last_warned_at',
  now: number,
  until = Number.MAX_SAFE_INTEGER,
) =>
  eb.and([
    eb(column, '>', eb.ref('last_active_at')),
    eb(column, '<=', until),
    eb('deletion_due_at', '>', now - goodFor),
  ]);

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
