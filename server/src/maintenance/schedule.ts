/** All maintenance jobs, in no particular order; the file of each explains what it does and when. */
import type { Job } from './job.ts';
import { autoDelete } from './jobs/auto-delete.ts';
import { cancelSubscriptions } from './jobs/cancel-subscriptions.ts';
import { endGrace } from './jobs/end-grace.ts';
import { deleteExpired } from './jobs/delete-expired.ts';
import { deleteUnverified } from './jobs/delete-unverified.ts';
import { dormancy } from './jobs/dormancy.ts';
import { emptyAccounts } from './jobs/empty-accounts.ts';
import { purge } from './jobs/purge.ts';
import { reconcileSubscriptions } from './jobs/reconcile-subscriptions.ts';
import { rescan } from './jobs/rescan.ts';
import { scanPendingJob } from './jobs/scan-pending.ts';
import { sweepStrays } from './jobs/sweep-strays.ts';

export const jobs: readonly Job[] = [
  purge,
  sweepStrays,
  cancelSubscriptions,
  endGrace,
  reconcileSubscriptions,
  emptyAccounts,
  deleteUnverified,
  deleteExpired,
  autoDelete,
  dormancy,
  scanPendingJob,
  rescan,
];
