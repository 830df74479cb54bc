/** What an operator reads about accounts. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan, PlanLevel } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import { isWaiting } from '../accounts/approval.ts';
import { accountByEmail } from '../accounts/find-account.ts';
import { ownLimitsIn, type OwnLimits, planOf } from '../accounts/plan-of.ts';
import { findSubscription, ownSubscription } from '../billing/subscription.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../storage/db/schema.ts';

/**
 * Returns the open account with the email address that an operator entered.
 * @throws {Failure} NOT_FOUND.
 */
export async function knownAccount(context: Pick<Context, 'db'>, email: string): Promise<AccountRow> {
  const account = await accountByEmail(context, email);
  if (!account) throw new Failure('NOT_FOUND', `There is no open account '${email}'.`);
  return account;
}

export interface AccountFacts {
  readonly account: AccountRow;
  readonly plan: Plan;
  /** Those that hold instead of the plan's. */
  readonly ownLimits: OwnLimits;
  /** The subscription as its owner sees it. */
  readonly subscription: Awaited<ReturnType<typeof ownSubscription>>;
  /** Its id at the payment provider. */
  readonly customer: string | null;
  /** References of the cases that took down files and were not reversed, oldest first. */
  readonly cases: readonly string[];
}

export async function accountFacts(context: Context, account: AccountRow): Promise<AccountFacts> {
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
  return rows.map((row) => row.reference);
}

export interface ListedAccount {
  readonly id: string;
  readonly email: string;
  readonly level: PlanLevel;
  readonly verified: boolean;
  /** True if it waits for an operator's approval. */
  readonly waiting: boolean;
  readonly spaceUsed: number;
  readonly slotsUsed: number;
  /** Number of cases that took down files and were not reversed. */
  readonly takedowns: number;
  readonly createdAt: number;
  readonly lastActiveAt: number;
}

export interface AccountSearch {
  /** Part of the email address. */
  readonly search?: string | undefined;
  readonly plan?: PlanLevel | undefined;
  /** Only accounts that wait for an operator's approval. */
  readonly waiting?: boolean | undefined;
  /** Minimum number of takedowns. */
  readonly takedownsFrom?: number | undefined;
  /** Lists accounts after this account id. */
  readonly after?: string | undefined;
}

const perPage = 500;

/** Yields open accounts in order of creation. It reads page by page, so the number of accounts does not matter. */
export async function* listAccounts(
  { db }: Pick<Context, 'db'>,
  { search, plan, waiting = false, takedownsFrom, after = '' }: AccountSearch,
  pageSize = perPage,
): AsyncGenerator<ListedAccount> {
  for (let last = after; ;) {
    const page = await db
      .selectFrom('accounts')
      .select((eb) => [
        'id',
        'email',
        'level',
        'verified_at',
        'asked_at',
        'space_used as spaceUsed',
        'slots_used as slotsUsed',
        'created_at as createdAt',
        'last_active_at as lastActiveAt',
        eb
          .selectFrom('takedowns')
          .select((inner) => inner.fn.count<number>('reference').distinct().as('count'))
          .whereRef('takedowns.account_id', '=', 'accounts.id')
          .where('restored_at', 'is', null)
          .as('takedowns'),
      ])
      .where('closed_at', 'is', null)
      .where('id', '>', last)
      .$if(search !== undefined, (query) =>
        query.where(sql<boolean>`email_key LIKE ${`%${literally(search ?? '')}%`} ESCAPE '!'`),
      )
      .$if(plan !== undefined, (query) => query.where('level', '=', plan ?? 'free'))
      .$if(waiting, (query) => query.where('asked_at', 'is not', null).where('verified_at', 'is', null))
      .$if(takedownsFrom !== undefined, (query) =>
        query.where('id', 'in', (eb) =>
          eb
            .selectFrom('takedowns')
            .select('account_id')
            .where('restored_at', 'is', null)
            .groupBy('account_id')
            .having((having) => having(having.fn.count('reference').distinct(), '>=', takedownsFrom ?? 0)),
        ),
      )
      .orderBy('id')
      .limit(pageSize)
      .execute();
    for (const { verified_at, asked_at, takedowns, ...rest } of page) {
      const state = { verified: verified_at !== null, waiting: isWaiting({ verified_at, asked_at }) };
      yield { ...rest, ...state, takedowns: takedowns ?? 0 };
    }
    const end = page.at(-1);
    if (!end || page.length < pageSize) return;
    last = end.id;
  }
}

const literally = (text: string) => text.toLowerCase().replaceAll(/[!%_]/g, '!$&');
