import { Failure } from '@holdfast/contract/src/errors.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import { accountByEmail } from '../accounts/find-account.ts';
import { ownLimitsIn, planOf } from '../accounts/plan-of.ts';
import { findSubscription, ownSubscription } from '../billing/subscription.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { rowsById } from './rows-by-id.ts';

/** @throws {Failure} NOT_FOUND when no open account has the email address. */
export async function knownAccount(context: Pick<Context, 'db'>, email: string): Promise<AccountRow> {
  const account = await accountByEmail(context, email);
  if (!account) throw new Failure('NOT_FOUND', `There is no open account '${email}'.`);
  return account;
}

export type AccountFacts = Awaited<ReturnType<typeof accountFacts>>;

export async function accountFacts(context: Context, account: AccountRow) {
  return {
    account,
    plan: planOf(context, account),
    ownLimits: ownLimitsIn(account.own_limits),
    subscription: await ownSubscription(context, account.id),
    customer: (await findSubscription(context, account.id))?.customer_id ?? null,
    cases: await casesAgainst(context, account.id),
  };
}

async function casesAgainst({ db }: Pick<Context, 'db'>, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('takedowns')
    .select('reference')
    .where('account_id', '=', accountId)
    .where('restored_at', 'is', null)
    .groupBy('reference')
    .orderBy((eb) => eb.fn.min('taken_down_at'))
    .orderBy('reference')
    .execute();
  return rows.map(({ reference }) => reference);
}

interface AccountSearch {
  readonly search?: string | undefined;
  readonly plan?: PlanLevel | undefined;
  readonly waiting?: boolean | undefined;
  readonly takedownsFrom?: number | undefined;
  /** An account id. */
  readonly after?: string | undefined;
}

export type ListedAccount = Awaited<ReturnType<ReturnType<typeof accountQuery>['execute']>>[number];

export function listAccounts(
  { db }: Pick<Context, 'db'>,
  { search, plan, waiting = false, takedownsFrom = 0, after }: AccountSearch,
): AsyncGenerator<ListedAccount> {
  let query = accountQuery(db);
  if (search !== undefined) query = query.where(sql<boolean>`email_key LIKE ${`%${literally(search)}%`} ESCAPE '!'`);
  if (plan !== undefined) query = query.where('level', '=', plan);
  if (waiting) query = query.where('asked_at', 'is not', null).where('verified_at', 'is', null);
  if (takedownsFrom > 0) query = query.where(takedowns, '>=', takedownsFrom);
  return rowsById((last) => query.where('id', '>', last).execute(), after);
}

const takedowns = sql<number>`(
  SELECT count(DISTINCT reference) FROM takedowns WHERE account_id = accounts.id AND restored_at IS NULL)`;

const accountQuery = (db: Context['db']) =>
  db
    .selectFrom('accounts')
    .select(['id', 'email', 'level', 'verified_at', 'asked_at', 'space_used', 'slots_used'])
    .select(['created_at', 'last_active_at', takedowns.as('takedowns')])
    .where('closed_at', 'is', null)
    .orderBy('id')
    .limit(500);

const literally = (text: string) => text.toLowerCase().replaceAll(/[!%_]/g, '!$&');
