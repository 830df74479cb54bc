import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Context } from '../context.ts';
import { pauseLeft } from '../jobs/clock-guard.ts';
import type { Job } from '../jobs/job.ts';
import { readDone } from '../jobs/run-job.ts';
import { days, minutes } from '../lib/clock.ts';
import { wasScannerUp } from '../moderation/scanner-health.ts';
import type { Schema } from '../storage/db/schema.ts';
import type { Metric } from './metrics.ts';
import type { NodePages } from './open-monitoring.ts';
import { createReadiness } from './readiness.ts';

export function serverPages(context: Context, jobs: readonly Job[], stopping?: AbortSignal): NodePages {
  const { db, clock, log, scanner, payments } = context;
  let [isUp, pause, measuredAt] = [false, 0, -Infinity];
  let stored: Awaited<ReturnType<typeof measureStorage>> | undefined;
  let rows: readonly Selectable<Schema['jobs']>[] = [];
  const ofPlans = (column: 'accounts' | 'files' | 'bytes') => () =>
    stored?.plans.map((plan) => [{ plan: plan.plan }, Number(plan[column])] as const);
  const ofJobs = (column: 'last_started_at' | 'last_success_at' | 'last_took' | 'failures', unit = 1) =>
    eachJob((row) => (row?.[column] ?? 0) / unit);
  const eachJob = (read: (row: Selectable<Schema['jobs']> | undefined) => number) => () =>
    jobs.map(({ name }) => [{ job: name }, read(rows.find((row) => row.name === name))] as const);
  const isStopped = eachJob((row) => Number((row?.deletion_limit_exceeded_at ?? null) !== null));
  const done = () =>
    rows.flatMap((row) =>
      Object.entries(readDone(row.done)).map(([what, count]) => [{ job: row.name, what }, count] as const),
    );
  const freeSpace = () => context.blobs.freeSpace.free().catch(() => NaN);
  const refresh = async () => {
    try {
      rows = await db.selectFrom('jobs').selectAll().execute();
      pause = await pauseLeft(context);
      // Counting accounts reads all of them.
      if (clock.monotonic() - measuredAt >= minutes(1))
        [stored, measuredAt] = [await measureStorage(context), clock.monotonic()];
      isUp = true;
    } catch (error) {
      log.warn({ err: error }, 'the database metrics could not be read');
      isUp = false;
    }
  };
  const isScannerUp = () => Number(wasScannerUp(context) ?? NaN);
  const ofScanner: Metric = ['scanner_up', '1 if the malware scanner responded to the last check.', isScannerUp];
  const metrics: readonly Metric[] = [
    ...(scanner.scans ? [ofScanner] : []),
    ['database_up', '1 while the database answers.', () => Number(isUp)],
    ['storage_free_bytes', 'Free space for stored files; NaN if it cannot be read.', freeSpace],
    ['clock_hold_seconds', 'How long jobs that delete by age still pause.', () => pause / 1000],
    ['wrong_prices', 'Prices that differ from the plans.', () => payments.wrongPrices.length],
    ['accounts', 'Open accounts.', ofPlans('accounts'), 'plan'],
    ['live_files', 'Files that are not deleted.', ofPlans('files'), 'plan'],
    ['live_bytes', 'Total size of these files.', ofPlans('bytes'), 'plan'],
    ['files_pending_scan', 'Files that wait for their first scan.', () => stored?.pendingScans],
    ['emails_waiting', 'Emails that have not been sent yet.', () => stored?.emailsWaiting],
    ['owners_unreached', 'Accounts that could not be warned; their files are kept.', () => stored?.ownersUnreached],
    ['payments_unread', 'Paying accounts without a subscription snapshot for two days.', () => stored?.paymentsUnread],
    ['job_last_start_timestamp_seconds', 'Start of the last run; 0 is never.', ofJobs('last_started_at', 1000), 'job'],
    ['job_last_success_timestamp_seconds', 'Last success; 0 is never.', ofJobs('last_success_at', 1000), 'job'],
    ['job_deletion_limit_exceeded', '1 while its deletion limit stops a job.', isStopped, 'job'],
    ['job_duration_seconds', 'How long the last successful run took.', ofJobs('last_took', 1000), 'job'],
    ['job_failures_total', 'Runs that failed, on any process.', ofJobs('failures'), 'job'],
    ['job_done_total', 'Totals of what the runs of a job did: deleted files and so on.', done, 'job', 'what'],
  ];
  return { readyz: createReadiness(context, stopping), databases: [db], metrics, refresh };
}

/** Files and bytes come from the sums of the accounts, because counting a hundred million rows takes too long. */
export async function measureStorage({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const plans = await db
    .selectFrom('accounts')
    .select((eb) => [
      'level as plan',
      eb.fn.countAll<number>().as('accounts'),
      eb.fn.sum<number | string>('slots_used').as('files'),
      eb.fn.sum<number | string>('space_used').as('bytes'),
    ])
    .where('closed_at', 'is', null)
    .groupBy('level')
    .execute();
  const count = async (from: RawBuilder<unknown>) => {
    const { rows } = await sql<{ rows: number | string }>`SELECT count(*) AS rows FROM ${from}`.execute(db);
    return Number(rows[0]?.rows);
  };
  return {
    plans,
    pendingScans: await count(sql`files WHERE pending_scan = 1 AND deleted_at IS NULL`),
    emailsWaiting: await count(sql`outgoing_emails`),
    ownersUnreached: await count(sql`accounts WHERE closed_at IS NULL AND warning_failed_at > last_active_at`),
    paymentsUnread: await count(sql`subscriptions
      WHERE customer_id IS NOT NULL AND read_at < ${clock.now() - days(2)} AND status IN ('active', 'past_due')`),
  };
}
