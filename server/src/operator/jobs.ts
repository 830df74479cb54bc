import type { Context } from '../context.ts';
import { DeletionsPaused, noteHeartbeat, pauseLeft } from '../jobs/clock-guard.ts';
import type { Job, JobResult } from '../jobs/job.ts';
import { runJob } from '../jobs/run-job.ts';
import { jobs } from '../jobs/schedule.ts';
import { type Actor, recordAction } from './record-action.ts';

export const jobNames: readonly string[] = jobs.map(({ name }) => name);

export const jobNamed = (name: string): Job | undefined => jobs.find((job) => job.name === name);

export interface JobState {
  readonly name: string;
  /** A cron pattern, in UTC. */
  readonly pattern: string;
  readonly running: boolean;
  /** Times in milliseconds; null means never. */
  readonly lastStartedAt: number | null;
  readonly lastSuccessAt: number | null;
  readonly exceededAt: number | null;
  readonly lastError: string | null;
}

/** Returns the state of every job. */
export async function listJobs({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<JobState[]> {
  const rows = await db.selectFrom('jobs').selectAll().execute();
  return jobs.map(({ name, pattern }) => {
    const row = rows.find((each) => each.name === name);
    return {
      name,
      pattern,
      running: (row?.leased_until ?? 0) > clock.now(),
      lastStartedAt: row?.last_started_at || null,
      lastSuccessAt: row?.last_success_at || null,
      exceededAt: row?.deletion_limit_exceeded_at || null,
      lastError: row?.last_error ?? null,
    };
  });
}

interface JobOrder {
  readonly dryRun: boolean;
  /** The most that may be deleted, regardless of the deletion limit; null means that the limit applies. */
  readonly allow: number | null;
  readonly signal: AbortSignal;
}

/**
 * Runs a job now, in this process, and notes it in the audit log unless it is a dry run. Returns null when another
 * process is running it.
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
