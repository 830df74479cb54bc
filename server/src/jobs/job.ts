import type { Context } from '../context.ts';
import type { DeletionLimit } from './deletion-limit.ts';

/** A job works in bounded batches and may be killed at any statement: the next run continues. */
export interface Job {
  readonly name: string;
  readonly pattern: string;
  readonly deletesByAge?: true;
  readonly hasDeletionLimit?: true;
  run(run: JobRun): Promise<JobResult>;
}

export interface JobRun {
  readonly context: Context;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly deletionLimit: DeletionLimit;
  /** Names an item that cannot be treated: the run goes on, and fails at its end. */
  readonly passOver: (item: string, error: unknown) => void;
}

export type JobResult = Readonly<Record<string, number>>;
