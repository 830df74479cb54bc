import { collectDefaultMetrics, Counter, Gauge, Registry } from '@prometheus-io/client';
import type { Context } from '../context.ts';
import type { PrivatePage } from '../http/private-port.ts';
import { minutes } from '../lib/clock.ts';
import type { Job } from './job.ts';
import { measureJobs } from './measure-jobs.ts';
import { measureStock, type Stock } from './measure-stock.ts';

/** Counting accounts reads all of them. */
const stockHeldFor = minutes(1);

/** What Prometheus reads: the process, its jobs, what is stored, and what was done since the process began. */
export function createMetrics(context: Context, jobs: readonly Job[]): () => Promise<PrivatePage> {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const up = new Gauge({ name: 'holdfast_database_up', help: '1 while the database answers.', registers });
  const setJobs = jobGauges(register);
  const setStock = stockGauges(register);
  const wrongPrices = new Gauge({
    name: 'holdfast_wrong_prices',
    help: 'Prices that this process found to be other than the plans say, so that it does not sell at them.',
    registers,
  });
  const countDone = doneCounters(register);
  let stock: Stock | null = null;
  let stockAt = 0;
  return async () => {
    try {
      setJobs(await measureJobs(context, jobs));
      const now = context.clock.now();
      if (!stock || Math.abs(now - stockAt) >= stockHeldFor) [stock, stockAt] = [await measureStock(context), now];
      setStock(stock);
      up.set(1);
    } catch (error) {
      context.log.warn({ err: error }, 'the database could not be measured');
      up.set(0);
    }
    countDone(context.tally);
    wrongPrices.set(context.payments.wrongPrices.length);
    return { status: 200, type: register.contentType, body: await register.metrics() };
  };
}

type Measured = Awaited<ReturnType<typeof measureJobs>>;

function jobGauges(register: Registry): (measured: Measured) => void {
  const registers = [register];
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `holdfast_job_${name}`, help, labelNames: ['job'], registers });
  const gauges = {
    last_start: gauge('last_start_timestamp_seconds', 'When a run began last, on any process; 0 is never.'),
    last_success: gauge('last_success_timestamp_seconds', 'When a run succeeded last, on any process; 0 is never.'),
    braked: gauge('braked', '1 while a job is stopped because it would delete too much.'),
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
    help: 'What the runs of a job did, on any process: deleted files, freed bytes and the like.',
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

function stockGauges(register: Registry): (stock: Stock) => void {
  const registers = [register];
  const byPlan = (name: string, help: string) =>
    new Gauge({ name: `holdfast_${name}`, help, labelNames: ['plan'], registers });
  const gauge = (name: string, help: string) => new Gauge({ name: `holdfast_${name}`, help, registers });
  const accounts = byPlan('accounts', 'Open accounts.');
  const files = byPlan('live_files', 'Files that are not deleted.');
  const bytes = byPlan('live_bytes', 'Their sizes; equal bytes count for each file.');
  const pending = gauge('files_pending_scan', 'Files that wait for their first verdict.');
  const letters = gauge('letters_waiting', 'Mails that are not handed over yet.');
  const unreached = gauge(
    'owners_unreached',
    'Accounts that nobody uses and that no warning reaches; they keep their files.',
  );
  const unread = gauge('payments_unread', 'Accounts that pay and were not read at the payment provider for two days.');
  const unknown = gauge(
    'payments_unknown',
    'Accounts with a plan that was paid for, whose customer the payment provider does not know.',
  );
  return (stock) => {
    for (const each of [accounts, files, bytes]) each.reset();
    for (const { plan, ...sums } of stock.plans) {
      accounts.set({ plan }, sums.accounts);
      files.set({ plan }, sums.files);
      bytes.set({ plan }, sums.bytes);
    }
    pending.set(stock.pendingScans);
    letters.set(stock.lettersWaiting);
    unreached.set(stock.ownersUnreached);
    unread.set(stock.paymentsUnread);
    unknown.set(stock.paymentsUnknown);
  };
}

function doneCounters(register: Registry): (tally: Context['tally']) => void {
  const counter = (name: string, help: string) =>
    new Counter({ name: `holdfast_${name}`, help, registers: [register] });
  const counters = {
    uploads: counter('uploads_total', 'Files stored by this process.'),
    uploadedBytes: counter('uploaded_bytes_total', 'Their bytes.'),
    downloads: counter('downloads_total', 'Downloads begun at this process that count as hits.'),
  };
  return (tally) => {
    for (const name of ['uploads', 'uploadedBytes', 'downloads'] as const) {
      counters[name].reset();
      counters[name].inc(tally[name]);
    }
  };
}
