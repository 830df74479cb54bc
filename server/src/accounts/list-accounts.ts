import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { rowsById } from '../storage/db/batches.ts';

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
