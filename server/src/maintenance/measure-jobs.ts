import type { Context } from '../context.ts';
import { readDone } from './job-notes.ts';
import type { Job, JobResult } from './job.ts';

/** How a job goes: times in seconds since the epoch, 0 where it never was. */
export interface MeasuredJob {
  readonly job: string;
  readonly last_start: number;
  readonly last_success: number;
  readonly braked: 0 | 1;
  /** Seconds. */
  readonly duration: number;
  readonly failures: number;
  readonly done: JobResult;
}

/** Every job of the schedule, those that never ran too. */
export async function measureJobs({ db }: Pick<Context, 'db'>, jobs: readonly Job[]): Promise<MeasuredJob[]> {
  const rows = new Map((await db.selectFrom('jobs').selectAll().execute()).map((row) => [row.name, row]));
  return jobs.map(({ name }) => {
    const row = rows.get(name);
    return {
      job: name,
      last_start: (row?.last_started_at ?? 0) / 1000,
      last_success: (row?.last_success_at ?? 0) / 1000,
      braked: (row?.braked_at ?? null) === null ? 0 : 1,
      duration: (row?.last_took ?? 0) / 1000,
      failures: row?.failures ?? 0,
      done: readDone(row?.done ?? '{}'),
    };
  });
}
