import { createDeletionLimit } from '../../src/jobs/deletion-limit.ts';
import type { JobRun } from '../../src/jobs/job.ts';
import type { TestServer } from './start-server.ts';

/** A run without a lease, a deletion limit or notes. */
export const runOf = ({ context }: TestServer, changed: Partial<JobRun> = {}): JobRun => ({
  context,
  dryRun: false,
  signal: new AbortController().signal,
  deletionLimit: createDeletionLimit(Infinity),
  passOver: (item, error) => {
    throw new Error(item, { cause: error });
  },
  ...changed,
});
