import type { Job } from '../../src/jobs/job.ts';

/** A job that only counts its runs. */
export function countingJob(): { readonly job: Job; readonly runs: () => number } {
  let runs = 0;
  const job: Job = {
    name: 'test',
    pattern: '0 0 1 1 *',
    async run() {
      runs += 1;
      return {};
    },
  };
  return { job, runs: () => runs };
}
