import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import { isWaiting } from '../accounts/approval.ts';
import type { Context } from '../context.ts';

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
