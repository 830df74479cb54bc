import type { Context } from '../context.ts';
import { DeletionsPaused, noteHeartbeat, pauseLeft } from '../jobs/clock-guard.ts';
import { createDeletionLimit } from '../jobs/deletion-limit.ts';
import type { Job, JobResult } from '../jobs/job.ts';
import { purgeDeleted, purgeGrace } from '../jobs/purge.ts';
import { runJob } from '../jobs/run-job.ts';
import { jobs } from '../jobs/schedule.ts';
import { type Actor, recordAction } from '../storage/db/record-action.ts';

export const jobNames: readonly string[] = jobs.map(({ name }) => name);

export const jobNamed = (name: string): Job | undefined => jobs.find((job) => job.name === name);

export async function listJobs({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const rows = await db.selectFrom('jobs').selectAll().execute();
  return jobs.map(({ name, pattern }) => {
    const row = rows.find((each) => each.name === name);
    return { name, pattern, row, running: (row?.leased_until ?? 0) > clock.now() };
  });
}

interface JobOrder {
  readonly dryRun: boolean;
  readonly allow: number | null;
  readonly signal: AbortSignal;
}

/**
 * Runs a job now, in this process. Returns null when another process is running it.
 * @throws {DeletionsPaused}
 */
export async function runJobByHand(
  context: Context,
  actor: Actor,
  job: Job,
  { dryRun, allow, signal }: JobOrder,
): Promise<JobResult | null> {
  if (!dryRun && job.deletesByAge) {
    await noteHeartbeat(context);
    const left = await pauseLeft(context);
    if (left > 0) throw new DeletionsPaused(left);
  }
  if (!dryRun) await recordAction(context, actor, { subject: job.name, details: { allow } });
  return runJob(context, job, { dryRun, allowed: allow, signal });
}

export async function purgeNow(context: Context, actor: Actor, planned: JobResult, signal: AbortSignal) {
  await recordAction(context, actor, { subject: 'storage', details: { ...planned, graceMs: purgeGrace } });
  return purgeWithoutGrace(context, signal);
}

export const countDeleted = (context: Context, signal: AbortSignal) => purgeWithoutGrace(context, signal, true);

const purgeWithoutGrace = (context: Context, signal: AbortSignal, dryRun = false) =>
  purgeDeleted({ context, dryRun, signal, deletionLimit: createDeletionLimit(null) }, 0);
