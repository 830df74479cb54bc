import { planLevels } from '@holdfast/contract/src/plans.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { days } from '../lib/clock.ts';

export type Stats = Awaited<ReturnType<typeof gatherStats>>;

const repeated = 2;

export async function gatherStats({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const count = async <Counts>(counts: RawBuilder<Counts>): Promise<Counts> => {
    const { rows } = await sql<Counts>`SELECT ${counts}`.execute(db);
    if (!rows[0]) throw new Error('unreachable: a count is one row');
    return rows[0];
  };
  const blobs = (where: RawBuilder<unknown>) =>
    count(sql<{ blobs: number; bytes: number }>`
      count(*) AS blobs, cast(coalesce(sum(size), 0) as bigint) AS bytes FROM blobs WHERE ${where}`);
  const plans = await db
    .selectFrom('accounts')
    .select((eb) => ['level', eb.fn.countAll<number>().as('accounts')])
    .where('closed_at', 'is', null)
    .groupBy('level')
    .execute();
  // Usage is kept as a sum for each account, so that the files need not be read.
  const { live, bytes, ...accounts } = await count(sql<
    Record<'open' | 'unverified' | 'active_last_30_days' | 'live' | 'bytes', number>
  >`
    count(*) AS open, count(CASE WHEN verified_at IS NULL THEN 1 END) AS unverified,
    count(CASE WHEN last_active_at > ${clock.now() - days(30)} THEN 1 END) AS active_last_30_days,
    cast(coalesce(sum(slots_used), 0) as bigint) AS live, cast(coalesce(sum(space_used), 0) as bigint) AS bytes
    FROM accounts WHERE closed_at IS NULL`);
  return {
    accounts,
    plans: Object.fromEntries(planLevels.map((each) => [each, plans.find((row) => row.level === each)?.accounts ?? 0])),
    files: { live, bytes },
    stored: await blobs(sql`1 = 1`),
    unused: await blobs(sql`unused_since IS NOT NULL AND held_for IS NULL`),
    withheld: {
      ...(await blobs(sql`held_for IS NOT NULL`)),
      ...(await count(sql<{ blocked_digests: number }>`count(*) AS blocked_digests FROM blocked_digests`)),
    },
    takedowns: await count(sql<Record<'open_cases' | 'accounts' | 'repeat_infringers', number>>`
      (SELECT count(DISTINCT reference) FROM takedown_cases WHERE closed_at IS NULL) AS open_cases,
      count(*) AS accounts, count(CASE WHEN notices >= ${sql.lit(repeated)} THEN 1 END) AS repeat_infringers
      FROM (
        SELECT count(DISTINCT reference) AS notices FROM takedowns WHERE restored_at IS NULL GROUP BY account_id
      ) AS against`),
    ...(await count(sql<{ emails_waiting: number }>`count(*) AS emails_waiting FROM outgoing_emails`)),
    payments: await count(sql<Record<'paying' | 'to_end', number>>`
      count(CASE WHEN status IN ('active', 'past_due') AND closed_at IS NULL THEN 1 END) AS paying,
      count(cancel_requested_at) AS to_end
      FROM subscriptions JOIN accounts ON accounts.id = subscriptions.account_id`),
  };
}
