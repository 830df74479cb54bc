/** What a job of maintenance is: idempotent, in bounded batches, and stopped when it would delete what nobody can mean. */
import type { Context } from '../context.ts';
import type { Memory } from '../accounts/close-account.ts';
import type { Brake } from './brake.ts';

export interface Job {
  /** Also the key of its row in `jobs`, and its name on the command line. */
  readonly name: string;
  /** When it runs: a cron pattern, in UTC. */
  readonly pattern: string;
  run(run: JobRun): Promise<JobResult>;
}

export interface JobRun {
  readonly context: Context;
  /** What holds bytes of files in this process's memory: told after each commit which blobs went. */
  readonly memory: Memory;
  /** Then nothing is changed, and the result says what would have been. */
  readonly dryRun: boolean;
  /** Aborts when the process ends or the lease is lost: a job looks at it between batches. */
  readonly signal: AbortSignal;
  readonly brake: Brake;
  /** How many an operator has said may go in this run; null or absent where nothing was said. */
  readonly allowed?: number | null;
}

/** What was done, or in a dry run would have been, such as `{ files: 12 }`. */
export type JobResult = Readonly<Record<string, number>>;
