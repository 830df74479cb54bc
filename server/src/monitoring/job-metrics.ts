import type { Context } from '../context.ts';
import { readDone } from '../jobs/run-job.ts';
import type { Job, JobResult } from '../jobs/job.ts';

/** State of a job. Times are in seconds since the epoch, 0 for never. */
export interface MeasuredJob {
  readonly job: string;
  readonly last_start: number;
  readonly last_success: number;
  readonly deletion_limit_exceeded: 0 | 1;
  /** Seconds. */
  readonly duration: number;
  readonly failures: number;
  readonly done: JobResult;
}

/** Returns every scheduled job, including those that never ran. */
export async function measureJobs({ db }: Pick<Context, 'db'>, jobs: readonly Job[]): Promise<MeasuredJob[]> {
  const rows = new Map((await db.selectFrom('jobs').selectAll().execute()).map((row) => [row.name, row]));
  return jobs.map(({ name }) => {
    const row = rows.get(name);
    return {
      job: name,
      last_start: (row?.last_started_at ?? 0) / 1000,
      last_success: (row?.last_success_at ?? 0) / 1000,
      deletion_limit_exceeded: (row?.deletion_limit_exceeded_at ?? null) === null ? 0 : 1,
      duration: (row?.last_took ?? 0) / 1000,
      failures: row?.failures ?? 0,
      done: readDone(row?.done ?? '{}'),
    };
  });
}
