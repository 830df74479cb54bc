import type { Context } from '../context.ts';
import { createDeletionLimit } from '../jobs/deletion-limit.ts';
import type { JobResult } from '../jobs/job.ts';
import { purgeDeleted, purgeGrace } from '../jobs/purge.ts';
import { type Actor, recordAction } from './record-action.ts';

/** Counts the deleted files that a purge without a period of grace would remove from storage. */
export const countDeleted = (context: Context, signal: AbortSignal): Promise<JobResult> => purge(context, true, signal);

/**
 * Removes deleted files from storage without waiting for the end of their grace. `planned` goes into the audit log.
 */
export async function purgeNow(
  context: Context,
  actor: Actor,
  planned: JobResult,
  signal: AbortSignal,
): Promise<JobResult> {
  await recordAction(context, actor, { subject: 'storage', details: { ...planned, graceMs: purgeGrace } });
  return purge(context, false, signal);
}

const purge = (context: Context, dryRun: boolean, signal: AbortSignal) =>
  purgeDeleted({ context, dryRun, signal, deletionLimit: createDeletionLimit(null) }, 0);
