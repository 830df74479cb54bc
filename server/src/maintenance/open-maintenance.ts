import { Cron } from 'croner';
import type { Memory } from '../accounts/close-account.ts';
import type { Context } from '../context.ts';
import { minutes, seconds } from '../lib/clock.ts';
import type { Job } from './job.ts';
import { openHeartbeat } from './open-heartbeat.ts';
import { runJob } from './run-job.ts';

export interface Delays {
  /** Processes that fire at one time ask the database one after the other, within so many milliseconds. */
  readonly jitter?: number;
  /** What was missed while nothing ran is done soon after the start, and not while it starts. */
  readonly catchUpAfter?: number;
}

export interface Maintenance extends AsyncDisposable {
  /** Runs a job before its time. Where it runs already, its next time is soon enough. */
  runSoon(job: Job): void;
}

/** A timer may be a little early. What is to run more often than the jitter is long leaves some of its times out. */
const leeway = seconds(10);

/**
 * Runs `jobs` at their times until it is disposed, which stops those under way between two batches and waits for them.
 * Every process of a service does this, and each time one of them runs the job. Meanwhile it notes that it runs. Nothing
 * that goes wrong leaves here.
 */
export function openMaintenance(
  context: Context,
  memory: Memory,
  jobs: readonly Job[],
  { jitter = seconds(30), catchUpAfter = minutes(1) }: Delays = {},
): Maintenance {
  const closing = new AbortController();
  const heartbeat = openHeartbeat(context);
  const running = new Map<string, Promise<void>>();
  const waiting = new Set<NodeJS.Timeout>();
  const run = (job: Job, since: number): void => {
    // A run that has lost its lease may not have ended yet: there are never two of one job here.
    if (running.has(job.name) || closing.signal.aborted) return;
    // A job judges by the clock and by how long the service was off: both are looked at first.
    const ended = heartbeat.beat().then(() => runQuietly(context, memory, job, since, closing.signal));
    running.set(
      job.name,
      ended.finally(() => running.delete(job.name)),
    );
  };
  const runAfter = (delay: number, job: Job, since: number): void => {
    const timer = setTimeout(
      () => {
        waiting.delete(timer);
        run(job, since);
      },
      delay + Math.random() * jitter,
    ).unref();
    waiting.add(timer);
  };
  const clocks = jobs.map((job) => {
    const cron = new Cron(job.pattern, { timezone: 'UTC', unref: true, catch: true }, () =>
      runAfter(0, job, context.clock.now() - leeway),
    );
    const missed = cron.previousRuns(1, new Date(context.clock.now()))[0];
    if (missed) runAfter(catchUpAfter, job, missed.getTime() - leeway);
    return cron;
  });
  return {
    runSoon: (job) => run(job, Number.MAX_SAFE_INTEGER),
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('The server ends'));
      for (const cron of clocks) cron.stop();
      for (const timer of waiting) clearTimeout(timer);
      await Promise.all(running.values());
      await heartbeat[Symbol.asyncDispose]();
    },
  };
}

async function runQuietly(
  context: Context,
  memory: Memory,
  job: Job,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    const result = await runJob(context, memory, job, { since, signal });
    const did = Object.values(result ?? {}).some((count) => count > 0);
    if (did) context.log.info({ job: job.name, ...result }, 'a job of maintenance ran');
  } catch (error) {
    // What a job failed of is noted and logged already; a database that is away keeps it from being taken at all.
    context.log.warn({ job: job.name, reason: error instanceof Error ? error.message : String(error) }, 'a job ended');
  }
}
