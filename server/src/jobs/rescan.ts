import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import { days, hours, seconds } from '../lib/clock.ts';
import { ScannerUnavailable } from '../services/scanner/scanner.ts';
import { quarantine } from '../moderation/quarantine.ts';
import { noteFind, tellOwnersOfFinds } from '../moderation/rescan-finds.ts';
import { findKnownMalware, scanStored } from '../moderation/scan-stored.ts';
import { noteVerdict } from '../moderation/scan-results.ts';
import { checkScanner } from '../moderation/scanner-health.ts';
import { DeletionLimitExceeded } from './deletion-limit.ts';
import { countRows, inPages, type Job, type JobRun } from './job.ts';

const blobsPerPage = 100;
/** A rest as long as each scan leaves half of the scanner for uploads. */
const longestRest = seconds(30);

/** A bad signature finds something everywhere: what is over the deletion limit of a week waits for an operator. */
export const rescan: Job = {
  name: 'rescan',
  pattern: '23 * * * *',
  hasDeletionLimit: true,
  async run(run) {
    const { context, dryRun, signal } = run;
    const done = { scanned: 0, infected: 0, quarantined: 0 };
    if (!context.scanner.scans) return done;
    if (dryRun) return { ...done, scanned: await countRows(due(context)) };
    const mayQuarantine = await openLimit(run);
    let waiting = 0;
    const treat = async (blob: DueBlob) => {
      const { id: blobId, size, sha256 } = blob;
      const verdict =
        (await findKnownMalware(context, sha256)) ?? (await scanStored(context, { blobId, size }, signal));
      done.scanned += 1;
      if (verdict === null) return skip(run, blobId);
      if (verdict.kind !== 'infected') return noteVerdict(context, blobId, verdict.kind);
      done.infected += 1;
      if (mayQuarantine(done.infected)) {
        await noteFind(context, blob.sha256);
        done.quarantined += (await quarantine(context, blob, verdict.signature)).files;
      } else if ((waiting += 1) === 1)
        context.log.error({ job: rescan.name }, 'ALARM: the rescan found too much and quarantines nothing more');
    };
    try {
      for await (const page of dueBlobs(run))
        for (const blob of page) {
          signal.throwIfAborted();
          const startedAt = context.clock.monotonic();
          await treat(blob);
          const took = context.clock.monotonic() - startedAt;
          await setTimeout(Math.min(longestRest, took), undefined, { signal }).catch(() => {});
        }
    } finally {
      await tellOwnersOfFinds(context);
    }
    if (waiting > 0) throw tooMany(waiting);
    return done;
  },
};

interface DueBlob {
  readonly id: BlobId;
  readonly sha256: string;
  readonly size: number;
  readonly scanned_at: number;
}

const due = ({ db, clock }: Context) =>
  db
    .selectFrom('blobs')
    .where((eb) => eb('used_by', '>', eb.lit(0)))
    .where('held_for', 'is', null)
    .where('scanned_at', '<=', clock.now() - hours(24));

function dueBlobs({ context, signal }: JobRun) {
  const all = due(context);
  return inPages(signal, (last?: DueBlob) =>
    all
      .select(['id', 'sha256', 'size', 'scanned_at'])
      .where((eb) =>
        eb(eb.refTuple('scanned_at', 'id'), '>', eb.tuple(last?.scanned_at ?? -1, last?.id ?? ('' as BlobId))),
      )
      .orderBy('scanned_at')
      .orderBy('id')
      .limit(blobsPerPage)
      .execute(),
  );
}

/** While an alarm stands, only finds that an operator allows are quarantined. */
async function openLimit({ context: { db, clock }, deletionLimit }: JobRun): Promise<(found: number) => boolean> {
  const { allowed } = deletionLimit;
  if (allowed !== null) return (found) => found <= allowed;
  const alarms = db
    .selectFrom('jobs')
    .where('name', '=', rescan.name)
    .where('deletion_limit_exceeded_at', 'is not', null);
  if ((await countRows(alarms)) > 0) return () => false;
  const finds = await countRows(db.selectFrom('rescan_finds').where('found_at', '>', clock.now() - days(7)));
  const inUse = await countInUse(db);
  return (found) => deletionLimit.admits(finds + found, inUse);
}

async function countInUse(db: Context['db']): Promise<number> {
  // Written out so that the partial index is used.
  const { rows } = await sql<{ blobs: number }>`SELECT count(*) AS blobs FROM blobs WHERE used_by > 0`.execute(db);
  return rows[0]?.blobs ?? 0;
}

async function skip({ context, signal }: JobRun, id: BlobId): Promise<void> {
  if (signal.aborted) return;
  if (!(await checkScanner(context))) throw new ScannerUnavailable('it does not respond');
  await context.db.updateTable('blobs').set({ scanned_at: context.clock.now() }).where('id', '=', id).execute();
}

function tooMany(suspects: number): DeletionLimitExceeded {
  const what = suspects === 1 ? '1 stored file looks' : `${suspects} stored files look`;
  return new DeletionLimitExceeded(
    `${what} infected and wait for 'holdfast jobs run ${rescan.name} --allow ${suspects}', because that is too much for one week or an alarm stands.`,
  );
}
