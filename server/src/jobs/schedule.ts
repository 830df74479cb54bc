import type { Job } from './job.ts';
import { autoDelete } from './auto-delete.ts';
import { cancelSubscriptions } from './cancel-subscriptions.ts';
import { deleteExpired } from './delete-expired.ts';
import { deleteUnverified } from './delete-unverified.ts';
import { dormancy } from './dormancy.ts';
import { emptyAccounts } from './empty-accounts.ts';
import { endGrace } from './end-grace.ts';
import { endUploads } from './end-uploads.ts';
import { purge } from './purge.ts';
import { reconcileSubscriptions } from './reconcile-subscriptions.ts';
import { rescan } from './rescan.ts';
import { scanPending } from './scan-pending.ts';
import { sweepStrays } from './sweep-strays.ts';

export const jobs: readonly Job[] = [
  purge,
  sweepStrays,
  cancelSubscriptions,
  endGrace,
  endUploads,
  reconcileSubscriptions,
  emptyAccounts,
  deleteUnverified,
  deleteExpired,
  autoDelete,
  dormancy,
  scanPending,
  rescan,
];
