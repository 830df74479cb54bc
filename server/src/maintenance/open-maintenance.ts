import { Cron } from 'croner';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import type { Context } from '../context.ts';
import { minutes, seconds } from '../lib/clock.ts';
import type { Job } from './job.ts';
import { openHeartbeat } from './open-heartbeat.ts';
import { runJob } from './run-job.ts';
import { logActions } from './log-actions.ts';

export interface Delays {
  /** Milliseconds over which processes that fire at the same time spread their database queries. */
  readonly jitter?: number;
  /** Delay after the start until jobs missed during downtime run, so that they do not slow the startup. */
  readonly catchUpAfter?: number;
}

export interface Maintenance extends AsyncDisposable {
  /** Runs a job before its scheduled time. If it is already running, its next time is soon enough. */
  runSoon(job: Job): void;
}

/** Timers may fire slightly early. A job scheduled more often than the jitter skips some of its times. */
const leeway = seconds(10);

/**
 * Runs `jobs` on schedule until it is disposed; disposal stops running jobs between two batches and waits for them.
 * Every process of a service does this, and each time one of them runs the job. It also records that the process runs.
 * Errors do not propagate to the caller.
 */
export function openMaintenance(
  context: Context,
  memory: BlobMemory,
  jobs: readonly Job[],
  { jitter = seconds(30), catchUpAfter = minutes(1) }: Delays = {},
): Maintenance {
  const closing = new AbortController();
  const heartbeat = openHeartbeat(context);
  const actionLog = logActions(context);
  const running = new Map<string, Promise<void>>();
  const waiting = new Set<NodeJS.Timeout>();
  /** Jobs depend on the clock and on how long the service was off, so both are checked first. */
  const checkAndRun = async (job: Job, since: number): Promise<void> => {
    const isChecked = await heartbeat.beat();
    // The heartbeat has raised the alarm.
    if (!heartbeat.mayRunJobs()) return;
    if (isChecked || !job.deletesByAge) await runQuietly(context, memory, job, since, closing.signal);
    else context.log.warn({ job: job.name }, 'a job was not run, because the clock could not be checked');
  };
  const run = (job: Job, since: number): void => {
    // Jobs stop while the service is being moved. A run that has lost its lease may not have ended yet; this process never runs the same job twice at once.
    if (running.has(job.name) || closing.signal.aborted || context.readOnly.isOn) return;
    running.set(
      job.name,
      checkAndRun(job, since).finally(() => running.delete(job.name)),
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
      await actionLog[Symbol.asyncDispose]();
    },
  };
}

async function runQuietly(
  context: Context,
  memory: BlobMemory,
  job: Job,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    const result = await runJob(context, memory, job, { since, signal });
    const did = Object.values(result ?? {}).some((count) => count > 0);
    if (did) context.log.info({ job: job.name, ...result }, 'a maintenance job ran');
  } catch (error) {
    // The failure of a job is already recorded and logged; an unreachable database prevents the job from being taken at
    // all.
    context.log.warn({ job: job.name, reason: error instanceof Error ? error.message : String(error) }, 'a job ended');
  }
}
