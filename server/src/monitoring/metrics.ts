import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Context } from '../context.ts';
import type { PrivatePage } from '../http/private-port.ts';
import { minutes } from '../lib/clock.ts';
import { pauseLeft } from '../jobs/clock-guard.ts';
import type { Job } from '../jobs/job.ts';
import { measureJobs } from './job-metrics.ts';
import { createNodeMetrics } from './node-metrics.ts';
import type { MetricsSources } from './pages-of-node.ts';
import { measureStorage, type StorageMetrics } from './storage-metrics.ts';

/** Results are cached, because counting accounts reads all of them. */
const storageMetricsHeldFor = minutes(1);

/** Metrics for Prometheus: the process, its jobs, what is stored, and what was done since the process started. */
export function createMetrics(
  context: Context,
  jobs: readonly Job[],
  sources: MetricsSources,
): () => Promise<PrivatePage> {
  const { register, page } = createNodeMetrics(context, sources);
  const registers = [register];
  const up = new Gauge({ name: 'holdfast_database_up', help: '1 while the database answers.', registers });
  const freeSpace = new Gauge({
    name: 'holdfast_storage_free_bytes',
    help: 'Free space of the disk with the stored files; NaN if it cannot be read.',
    registers,
  });
  const clockHold = new Gauge({
    name: 'holdfast_clock_hold_seconds',
    help: 'How long jobs that delete by age still pause, because the clock jumped or the service was off; 0 if they run.',
    registers,
  });
  const setJobs = jobGauges(register);
  const setStorage = storageGauges(register);
  const wrongPrices = new Gauge({
    name: 'holdfast_wrong_prices',
    help: 'Prices that this process found to differ from the plans, so it does not sell at them.',
    registers,
  });
  let storage: StorageMetrics | null = null;
  let measuredAt = 0;
  return async () => {
    try {
      setJobs(await measureJobs(context, jobs));
      clockHold.set((await pauseLeft(context)) / 1000);
      const now = context.clock.monotonic();
      if (!storage || now - measuredAt >= storageMetricsHeldFor)
        [storage, measuredAt] = [await measureStorage(context), now];
      setStorage(storage);
      up.set(1);
    } catch (error) {
      context.log.warn({ err: error }, 'the database metrics could not be read');
      up.set(0);
    }
    // 0 would look like a full disk, and the last figure may be wrong by now.
    freeSpace.set(await context.freeSpace.free().catch(() => NaN));
    wrongPrices.set(context.payments.wrongPrices.length);
    return page();
  };
}

type Measured = Awaited<ReturnType<typeof measureJobs>>;

function jobGauges(register: Registry): (measured: Measured) => void {
  const registers = [register];
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `holdfast_job_${name}`, help, labelNames: ['job'], registers });
  const gauges = {
    last_start: gauge('last_start_timestamp_seconds', 'When the last run started, on any process; 0 is never.'),
    last_success: gauge('last_success_timestamp_seconds', 'When the last run succeeded, on any process; 0 is never.'),
    deletion_limit_exceeded: gauge(
      'deletion_limit_exceeded',
      '1 while a job is stopped because it exceeded its deletion limit.',
    ),
    duration: gauge('duration_seconds', 'How long the last successful run took.'),
  };
  const failures = new Counter({
    name: 'holdfast_job_failures_total',
    help: 'Runs that failed, on any process.',
    labelNames: ['job'],
    registers,
  });
  const done = new Counter({
    name: 'holdfast_job_done_total',
    help: 'Totals of what the runs of a job did, on any process: deleted files, freed bytes and so on.',
    labelNames: ['job', 'what'],
    registers,
  });
  return (measured) => {
    for (const counter of [failures, done]) counter.reset();
    for (const { job, ...values } of measured) {
      for (const [name, each] of Object.entries(gauges)) each.set({ job }, values[name as keyof typeof gauges]);
      failures.inc({ job }, values.failures);
      for (const [what, count] of Object.entries(values.done)) done.inc({ job, what }, count);
    }
  };
}

function storageGauges(register: Registry): (storage: StorageMetrics) => void {
  const registers = [register];
  const byPlan = (name: string, help: string) =>
    new Gauge({ name: `holdfast_${name}`, help, labelNames: ['plan'], registers });
  const gauge = (name: string, help: string) => new Gauge({ name: `holdfast_${name}`, help, registers });
  const accounts = byPlan('accounts', 'Open accounts.');
  const files = byPlan('live_files', 'Files that are not deleted.');
  const bytes = byPlan('live_bytes', 'Total size of these files; shared bytes count once per file.');
  const pending = gauge('files_pending_scan', 'Files that wait for their first scan.');
  const emails = gauge('emails_waiting', 'Emails that have not been sent yet.');
  const unreached = gauge('owners_unreached', 'Inactive accounts that could not be warned; their files are kept.');
  const unread = gauge('payments_unread', 'Paying accounts without a subscription snapshot for two days.');
  return (storage) => {
    for (const each of [accounts, files, bytes]) each.reset();
    for (const { plan, ...sums } of storage.plans) {
      accounts.set({ plan }, sums.accounts);
      files.set({ plan }, sums.files);
      bytes.set({ plan }, sums.bytes);
    }
    pending.set(storage.pendingScans);
    emails.set(storage.emailsWaiting);
    unreached.set(storage.ownersUnreached);
    unread.set(storage.paymentsUnread);
  };
}
