import type { Context } from '../context.ts';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import { DatabaseReadOnly } from '../engines/database/database.ts';
import { pauseLeft } from './clock-guard.ts';
import { DeletionLimitExceeded, createDeletionLimit } from './deletion-limit.ts';
import type { Job, JobResult } from './job.ts';
import { leaseFor, type TakeOptions, takeLease } from './lease.ts';
import { forgetAllowance, noteDeletionLimitExceeded, noteDone, noteFailed } from './job-notes.ts';

export interface RunOptions extends TakeOptions {
  /** Changes nothing, needs no lease and writes no notes. */
  readonly dryRun?: boolean;
  /** The most that may be deleted, regardless of the deletion limit; it overrides the allowance in the job's row. */
  readonly allowed?: number | null;
  readonly signal?: AbortSignal;
  /** Interval, in milliseconds, at which the holder renews its lease. */
  readonly renewEvery?: number;
}

/**
 * Runs a job once and records the outcome. Returns null when it is not due here: another process is running it, or has
 * run it since `since`, or the job deletes by age and such jobs pause. A failure is recorded, logged and reported
 * before the call rejects with it.
 * @throws {DeletionLimitExceeded} when it would delete too much; nothing was deleted then.
 */
export async function runJob(
  context: Context,
  memory: BlobMemory,
  job: Job,
  { dryRun = false, allowed = null, signal = never, renewEvery = leaseFor / 6, since }: RunOptions = {},
): Promise<JobResult | null> {
  if (dryRun) return job.run({ context, memory, dryRun, signal, deletionLimit: createDeletionLimit(allowed), allowed });
  if (job.deletesByAge && (await pauseLeft(context)) > 0) return null;
  const lease = await takeLease(context, job.name, since === undefined ? {} : { since });
  if (!lease) return null;
  const lost = new AbortController();
  const renewing = setInterval(() => {
    void lease.renew().then((held) => held || lost.abort(new Error('Another process has taken over this job')));
  }, renewEvery).unref();
  const either = AbortSignal.any([signal, lost.signal]);
  let finished = false;
  try {
    if (lease.allowed !== null) await forgetAllowance(context, job.name, lease.allowed);
    const startedAt = performance.now();
    const granted = allowed ?? lease.allowed;
    const deletionLimit = createDeletionLimit(granted);
    const result = await job.run({ context, memory, dryRun, signal: either, deletionLimit, allowed: granted });
    await noteDone(context, job.name, result, performance.now() - startedAt);
    finished = true;
    return result;
  } catch (error) {
    // A stopped job has not failed: the next run continues, in another place if the service is being moved.
    finished = !either.aborted && !(error instanceof DatabaseReadOnly);
    if (finished) await noteProblem(context, job.name, error);
    throw error;
  } finally {
    clearInterval(renewing);
    await lease.end(finished).catch((error: unknown) => {
      context.log.warn({ err: error, job: job.name }, 'the lease of a job could not be released and will expire');
    });
  }
}

const never = new AbortController().signal;

/** A failed write of the note hides nothing: the error is then only in the log. */
async function noteProblem(context: Context, name: string, error: unknown): Promise<void> {
  const { log, reports } = context;
  reports.report(error, `maintenance: ${name}`);
  try {
    if (error instanceof DeletionLimitExceeded) {
      const { deletions, outOf } = error;
      log.error({ job: name, deletions, outOf }, 'ALARM: a job would delete too much, so it was stopped');
      await noteDeletionLimitExceeded(context, name, error);
    } else {
      log.error({ err: error, job: name }, 'a maintenance job failed');
      await noteFailed(context, name, error);
    }
  } catch (problem) {
    log.warn({ err: problem, job: name }, 'the outcome of a job could not be recorded');
  }
}
