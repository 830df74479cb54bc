import type { Context } from '../context.ts';
import { DatabaseReadOnly, forJobs } from '../storage/db/database.ts';
import { messageOf } from '../lib/message-of.ts';
import { pauseLeft } from './clock-guard.ts';
import { createDeletionLimit, DeletionLimitExceeded } from './deletion-limit.ts';
import type { Job, JobResult } from './job.ts';
import { leaseFor, takeLease } from './lease.ts';
import { createPassedOver } from './passed-over.ts';

export interface RunOptions {
  readonly dryRun?: boolean;
  readonly allowed?: number | null;
  readonly signal?: AbortSignal;
  readonly renewEvery?: number;
  readonly since?: number | undefined;
}

/** Returns null if it is not this process's turn. */
export async function runJob(
  context: Context,
  job: Job,
  { dryRun = false, allowed = null, signal = never, renewEvery = leaseFor / 6, since }: RunOptions = {},
): Promise<JobResult | null> {
  const { passOver, failure } = createPassedOver();
  const run = { context, dryRun, deletionLimit: createDeletionLimit(allowed), passOver };
  if (dryRun) return job.run({ ...run, signal });
  if (job.deletesByAge && (await pauseLeft(context)) > 0) return null;
  const lease = await takeLease(context, job.name, since);
  if (!lease) return null;
  const lost = new AbortController();
  const renewing = setInterval(() => {
    void lease.renew().then((held) => held || lost.abort(new Error('Another process has taken over this job')));
  }, renewEvery).unref();
  const either = AbortSignal.any([signal, lost.signal]);
  let finished = false;
  try {
    const startedAt = context.clock.monotonic();
    const result = await job.run({ ...run, context: { ...context, db: forJobs(context.db) }, signal: either });
    const failed = failure();
    await noteDone(context, job.name, {
      result,
      tookMs: context.clock.monotonic() - startedAt,
      isWhole: failed === null,
    });
    if (failed) throw failed;
    finished = true;
    return result;
  } catch (error) {
    // A stopped job has not failed: the next run continues, in another place if the service is being moved.
    finished = !either.aborted && !(error instanceof DatabaseReadOnly);
    if (finished) await noteFailure(context, job.name, error);
    throw error;
  } finally {
    clearInterval(renewing);
    await lease.end(finished).catch((error: unknown) => {
      context.log.warn({ err: error, job: job.name }, 'the lease of a job could not be released and will expire');
    });
  }
}

const never = new AbortController().signal;

interface Ended {
  readonly result: JobResult;
  readonly tookMs: number;
  readonly isWhole: boolean;
}

async function noteDone({ db, clock }: Context, name: string, { result, tookMs, isWhole }: Ended): Promise<void> {
  const row = await db.selectFrom('jobs').select('done').where('name', '=', name).executeTakeFirstOrThrow();
  const sums: Record<string, number> = { ...readDone(row.done) };
  for (const [what, count] of Object.entries(result)) sums[what] = (sums[what] ?? 0) + count;
  const success = { last_success_at: clock.now(), last_error: null, deletion_limit_exceeded_at: null };
  await db
    .updateTable('jobs')
    .set({ done: JSON.stringify(sums), last_took: Math.round(tookMs), ...(isWhole && success) })
    .where('name', '=', name)
    .execute();
}

export const readDone = (json: string): JobResult => JSON.parse(json) as JobResult;

async function noteFailure({ db, clock, log, reports }: Context, name: string, error: unknown): Promise<void> {
  reports.report(error, `job: ${name}`);
  const isTooMuch = error instanceof DeletionLimitExceeded;
  const what = isTooMuch ? 'ALARM: a job would delete too much, so it was stopped' : 'a job failed';
  // Who runs the job says the numbers of a deletion limit.
  log.error({ ...(!isTooMuch && { err: error }), job: name }, what);
  await db
    .updateTable('jobs')
    .set((eb) => ({
      last_error: messageOf(error).slice(0, 300),
      failures: eb('failures', '+', 1),
      ...(isTooMuch && {
        deletion_limit_exceeded_at: eb.fn.coalesce('deletion_limit_exceeded_at', eb.val(clock.now())),
      }),
    }))
    .where('name', '=', name)
    .execute()
    .catch((problem: unknown) => {
      log.warn({ err: problem, job: name }, 'the outcome of a job could not be recorded');
    });
}
