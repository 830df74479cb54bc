import { Cron } from 'croner';
import type { Context } from '../context.ts';
import { minutes, seconds } from '../lib/clock.ts';
import { messageOf } from '../lib/message-of.ts';
import { createHeartbeat } from './heartbeat.ts';
import type { Job } from './job.ts';
import { runJob } from './run-job.ts';

export interface Jobs extends AsyncDisposable {
  /** Runs a job before its scheduled time, unless it is running. */
  runSoon(job: Job): void;
  tick(): Promise<void>;
}

const jitter = seconds(30);
const catchUpAfter = minutes(1);
/** Clocks of processes may differ by this much. */
const leeway = seconds(10);

export function openJobs(context: Context, jobs: readonly Job[], repeat = every): Jobs {
  const { clock, log } = context;
  const closing = new AbortController();
  const heartbeat = createHeartbeat(context);
  const running = new Map<string, Promise<void>>();
  const run = (job: Job, since?: number): void => {
    if (running.has(job.name) || closing.signal.aborted) return;
    running.set(
      job.name,
      checkAndRun(job, since).finally(() => running.delete(job.name)),
    );
  };
  const checkAndRun = async (job: Job, since?: number): Promise<void> => {
    const isChecked = await heartbeat.beat();
    if (!heartbeat.mayRunJobs()) return;
    if (!isChecked && job.deletesByAge)
      return log.warn({ job: job.name }, 'a job was not run, because the clock could not be checked');
    try {
      const result = await runJob(context, job, { signal: closing.signal, since });
      const did = Object.values(result ?? {}).some((count) => count > 0);
      if (did) log.info({ job: job.name, ...result }, 'a job ran');
    } catch (error) {
      log.warn({ job: job.name, reason: messageOf(error) }, 'a job ended');
    }
  };
  const schedules = jobs.map((job) => scheduleOf(job, clock.now()));
  const tick = async () => {
    const now = clock.now();
    for (const schedule of schedules) {
      const { job, due } = schedule;
      const next = schedule.nextDue(now);
      if (due.at <= now) run(job, due.since);
      // The second case is that of a clock that was set back.
      if (due.at <= now || due.at > next.at + catchUpAfter + jitter) schedule.due = next;
    }
    await Promise.all(running.values());
  };
  const timers = [repeat(tick, seconds(1)), repeat(heartbeat.beat, minutes(1))];
  void heartbeat.beat();
  return {
    runSoon: (job) => run(job),
    tick,
    async [Symbol.asyncDispose]() {
      for (const timer of timers) timer[Symbol.dispose]();
      closing.abort(new Error('The server ends'));
      await Promise.all(running.values());
      await heartbeat.end();
    },
  };
}

function scheduleOf(job: Job, now: number) {
  const cron = new Cron(job.pattern, { timezone: 'UTC', paused: true });
  const nextDue = (from: number) => {
    const next = cron.nextRun(new Date(from))?.getTime() ?? Infinity;
    return { at: next + Math.random() * jitter, since: next - leeway };
  };
  const missed = cron.previousRuns(1, new Date(now))[0];
  const first = missed && { at: now + catchUpAfter + Math.random() * jitter, since: missed.getTime() - leeway };
  return { job, nextDue, due: first ?? nextDue(now) };
}

function every(work: () => Promise<unknown>, ms: number): Disposable {
  const timer = setInterval(() => void work(), ms).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
