import { planLevels } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { days } from '../lib/clock.ts';

export interface Stats {
  readonly accounts: { readonly open: number; readonly unverified: number; readonly activeLast30Days: number };
  /** Open accounts of each plan. */
  readonly plans: Readonly<Record<string, number>>;
  readonly files: { readonly live: number; readonly bytes: number };
  /** Stored bytes; equal files share them. */
  readonly stored: { readonly blobs: number; readonly bytes: number };
  /** Unused blobs that wait for the purge. */
  readonly unused: { readonly blobs: number; readonly bytes: number };
  readonly withheld: { readonly blobs: number; readonly bytes: number; readonly blockedDigests: number };
  readonly takedowns: { readonly openCases: number; readonly accounts: number; readonly repeatInfringers: number };
  readonly emailsWaiting: number;
  readonly payments: {
    /** Open accounts with a paid plan, as of the last subscription snapshot. */
    readonly paying: number;
    /** Deleted accounts for which the provider has not yet confirmed that no subscription remains. */
    readonly toEnd: number;
  };
}

/** Number of notices that make a repeat infringer. */
const repeated = 2;

/** Counts everything once. It takes a few seconds for each ten million rows. */
export async function gatherStats({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<Stats> {
  const blobs = (condition: ReturnType<typeof sql>) => countBlobs(db, condition);
  const levels = await db
    .selectFrom('accounts')
    .select((eb) => [
      'level',
      eb.fn.countAll<number>().as('accounts'),
      eb.fn.count<number>('id').filterWhere('verified_at', 'is', null).as('unverified'),
      eb.fn
        .count<number>('id')
        .filterWhere('last_active_at', '>', clock.now() - days(30))
        .as('active'),
      // Usage is kept as a sum for each account, so that the files need not be read.
      sql<number>`cast(sum(slots_used) as bigint)`.as('files'),
      sql<number>`cast(sum(space_used) as bigint)`.as('bytes'),
    ])
    .where('closed_at', 'is', null)
    .groupBy('level')
    .execute();
  const sum = (of: (row: (typeof levels)[number]) => number) => levels.reduce((total, row) => total + of(row), 0);
  return {
    accounts: {
      open: sum((row) => row.accounts),
      unverified: sum((row) => row.unverified),
      activeLast30Days: sum((row) => row.active),
    },
    plans: Object.fromEntries(
      planLevels.map((level) => [level, levels.find((row) => row.level === level)?.accounts ?? 0]),
    ),
    files: { live: sum((row) => row.files), bytes: sum((row) => row.bytes) },
    stored: await blobs(sql`1 = 1`),
    unused: await blobs(sql`unused_since IS NOT NULL AND held_for IS NULL`),
    withheld: { ...(await blobs(sql`held_for IS NOT NULL`)), blockedDigests: await countRows(db, 'blocked_digests') },
    takedowns: await countTakedowns(db),
    emailsWaiting: await countRows(db, 'outgoing_emails'),
    payments: await countPayments(db),
  };
}

async function countBlobs(
  db: Context['db'],
  condition: ReturnType<typeof sql>,
): Promise<{ blobs: number; bytes: number }> {
  const { rows } = await sql<{ blobs: number; bytes: number }>`
    SELECT count(*) AS blobs, cast(coalesce(sum(size), 0) as bigint) AS bytes FROM blobs WHERE ${condition}`.execute(
    db,
  );
  return rows[0] ?? { blobs: 0, bytes: 0 };
}

async function countRows(db: Context['db'], table: 'blocked_digests' | 'outgoing_emails'): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

async function countPayments(db: Context['db']): Promise<Stats['payments']> {
  return db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .select((eb) => [
      eb.fn
        .count<number>('account_id')
        .filterWhere('status', 'in', ['active', 'past_due'])
        .filterWhere('closed_at', 'is', null)
        .as('paying'),
      eb.fn.count<number>('account_id').filterWhere('cancel_requested_at', 'is not', null).as('toEnd'),
    ])
    .executeTakeFirstOrThrow();
}

async function countTakedowns(db: Context['db']): Promise<Stats['takedowns']> {
  const { rows } = await sql<Stats['takedowns']>`
    SELECT
      (SELECT count(DISTINCT reference) FROM takedown_cases WHERE closed_at IS NULL) AS "openCases",
      count(*) AS accounts,
      count(CASE WHEN notices >= ${repeated} THEN 1 END) AS "repeatInfringers"
    FROM (
      SELECT account_id, count(DISTINCT reference) AS notices FROM takedowns WHERE restored_at IS NULL GROUP BY account_id
    ) AS against`.execute(db);
  return rows[0] ?? { openCases: 0, accounts: 0, repeatInfringers: 0 };
}
