import { Cron } from 'croner';
import type { Context } from '../context.ts';
import { minutes, seconds } from '../lib/clock.ts';
import type { Job } from './job.ts';
import { logActions } from './log-actions.ts';
import { openHeartbeat } from './open-heartbeat.ts';
import { runJob } from './run-job.ts';

export interface Maintenance extends AsyncDisposable {
  /** Runs a job before its scheduled time. If it is already running, its next time is soon enough. */
  runSoon(job: Job): void;
  /** Starts the jobs that are due, as a timer does every second. Resolves when no job runs. It never rejects. */
  tick(): Promise<void>;
}

/** Processes of one service spread their queries over this time. Jobs scheduled more often skip some of their times. */
const jitter = seconds(30);
/** Jobs missed during downtime run this much later, so that they do not slow the startup. */
const catchUpAfter = minutes(1);
/** Clocks of processes may differ by this much. */
const leeway = seconds(10);

interface Due {
  readonly at: number;
  /** Another process may have run the job since then. */
  readonly since: number;
}

/**
 * Runs `jobs` on schedule until it is disposed; disposal stops running jobs between two batches and waits for them.
 * Every process of a service does this, and each time one of them runs the job. It also records that the process runs.
 */
export function openMaintenance(context: Context, jobs: readonly Job[]): Maintenance {
  const { clock, log, readOnly } = context;
  const closing = new AbortController();
  const heartbeat = openHeartbeat(context);
  const actionLog = logActions(context);
  const running = new Map<string, Promise<void>>();
  const run = (job: Job, since: number): void => {
    // Jobs stop while the service is being moved. A run that has lost its lease may not have ended yet.
    if (running.has(job.name) || closing.signal.aborted || readOnly.isOn) return;
    running.set(
      job.name,
      checkAndRun(job, since).finally(() => running.delete(job.name)),
    );
  };
  /** Jobs depend on the clock and on how long the service was off, so the heartbeat comes first. */
  const checkAndRun = async (job: Job, since: number): Promise<void> => {
    const isChecked = await heartbeat.beat();
    if (!heartbeat.mayRunJobs()) return;
    if (!isChecked && job.deletesByAge)
      return log.warn({ job: job.name }, 'a job was not run, because the clock could not be checked');
    try {
      const result = await runJob(context, job, { since, signal: closing.signal });
      const did = Object.values(result ?? {}).some((count) => count > 0);
      if (did) log.info({ job: job.name, ...result }, 'a maintenance job ran');
    } catch (error) {
      // A failure is already recorded and logged; an unreachable database prevents a job from being taken at all.
      log.warn({ job: job.name, reason: error instanceof Error ? error.message : String(error) }, 'a job ended');
    }
  };
  const schedules = jobs.map((job) => {
    const cron = new Cron(job.pattern, { timezone: 'UTC', paused: true });
    const nextDue = (now: number): Due => {
      const next = cron.nextRun(new Date(now))?.getTime() ?? Infinity;
      return { at: next + Math.random() * jitter, since: next - leeway };
    };
    const now = clock.now();
    const missed = cron.previousRuns(1, new Date(now))[0];
    const first = missed && { at: now + catchUpAfter + Math.random() * jitter, since: missed.getTime() - leeway };
    return { job, nextDue, due: first ?? nextDue(now) };
  });
  const tick = async () => {
    const now = clock.now();
    for (const schedule of schedules) {
      const next = schedule.nextDue(now);
      if (schedule.due.at <= now) run(schedule.job, schedule.due.since);
      // The second case is that of a clock that was set back.
      if (schedule.due.at <= now || schedule.due.at > next.at + catchUpAfter + jitter) schedule.due = next;
    }
    await Promise.all(running.values());
  };
  const timer = setInterval(() => void tick(), seconds(1)).unref();
  return {
    runSoon: (job) => run(job, Number.MAX_SAFE_INTEGER),
    tick,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort(new Error('The server ends'));
      await Promise.all(running.values());
      await heartbeat[Symbol.asyncDispose]();
      await actionLog[Symbol.asyncDispose]();
    },
  };
}
