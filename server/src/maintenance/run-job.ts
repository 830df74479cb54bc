import type { Context } from '../context.ts';
import type { Memory } from '../accounts/close-account.ts';
import { Braked, createBrake } from './brake.ts';
import type { Job, JobResult } from './job.ts';
import { leaseFor, type TakeOptions, takeLease } from './lease.ts';
import { forgetAllowance, noteBraked, noteDone, noteFailed } from './job-notes.ts';

export interface RunOptions extends TakeOptions {
  /** Changes nothing, needs no lease and leaves no note. */
  readonly dryRun?: boolean;
  /** What may be deleted at most, brake or not; it goes before what the job's row allows. */
  readonly allowed?: number | null;
  readonly signal?: AbortSignal;
  /** How often, in milliseconds, the holder says that it lives. */
  readonly renewEvery?: number;
}

/**
 * Runs a job once and notes how it went. Answers null when it is not its turn: another process runs it, or has since
 * `since`. It rejects with what stopped it, after that was noted, logged and told.
 * @throws {Braked} when it would delete too much; nothing was deleted then.
 */
export async function runJob(
  context: Context,
  memory: Memory,
  job: Job,
  { dryRun = false, allowed = null, signal = never, renewEvery = leaseFor / 6, since }: RunOptions = {},
): Promise<JobResult | null> {
  if (dryRun) return job.run({ context, memory, dryRun, signal, brake: createBrake(allowed), allowed });
  const lease = await takeLease(context, job.name, since === undefined ? {} : { since });
  if (!lease) return null;
  const lost = new AbortController();
  const renewing = setInterval(() => {
    void lease.renew().then((held) => held || lost.abort(new Error('Another process has taken this job over')));
  }, renewEvery).unref();
  const either = AbortSignal.any([signal, lost.signal]);
  let finished = false;
  try {
    if (lease.allowed !== null) await forgetAllowance(context, job.name, lease.allowed);
    const startedAt = performance.now();
    const granted = allowed ?? lease.allowed;
    const brake = createBrake(granted);
    const result = await job.run({ context, memory, dryRun, signal: either, brake, allowed: granted });
    await noteDone(context, job.name, result, performance.now() - startedAt);
    finished = true;
    return result;
  } catch (error) {
    // Who was stopped has not failed: the next one goes on.
    finished = !either.aborted;
    if (finished) await noteProblem(context, job.name, error);
    throw error;
  } finally {
    clearInterval(renewing);
    await lease.end(finished).catch((error: unknown) => {
      context.log.warn({ err: error, job: job.name }, 'a job could not be given back, which its lease will do');
    });
  }
}

const never = new AbortController().signal;

/** A note that fails hides nothing: it is only the log's then. */
async function noteProblem(context: Context, name: string, error: unknown): Promise<void> {
  const { log, reports } = context;
  reports.report(error, `maintenance: ${name}`);
  try {
    if (error instanceof Braked) {
      const { condemned, outOf } = error;
      log.error({ job: name, condemned, outOf }, 'ALARM: a job would delete too much, so it was stopped');
      await noteBraked(context, name, error);
    } else {
      log.error({ err: error, job: name }, 'a job of maintenance failed');
      await noteFailed(context, name, error);
    }
  } catch (problem) {
    log.warn({ err: problem, job: name }, 'how a job went could not be noted');
  }
}
