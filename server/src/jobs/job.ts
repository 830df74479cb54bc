/** The interface of maintenance jobs: idempotent, in bounded batches, and stopped before an implausible deletion. */
import type { Context } from '../context.ts';
import type { DeletionLimit } from './deletion-limit.ts';

export interface Job {
  /** Also the key of its row in `jobs` and its name on the command line. */
  readonly name: string;
  /** Its schedule: a cron pattern, in UTC. */
  readonly pattern: string;
  /** It pauses after the clock has jumped: see `clock-guard`. */
  readonly deletesByAge?: true;
  /** An operator may allow more deletions in one run. */
  readonly hasDeletionLimit?: true;
  run(run: JobRun): Promise<JobResult>;
}

export interface JobRun {
  readonly context: Context;
  /** If true, nothing is changed, and the result reports what would have been. */
  readonly dryRun: boolean;
  /** Aborts when the process ends or the lease is lost; a job checks it between batches. */
  readonly signal: AbortSignal;
  readonly deletionLimit: DeletionLimit;
  /** Number of deletions that an operator has allowed in this run; null or absent if none was set. */
  readonly allowed?: number | null;
}

/** Counts of what was done, or in a dry run would have been done, such as `{ files: 12 }`. */
export type JobResult = Readonly<Record<string, number>>;
