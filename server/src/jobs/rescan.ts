import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { BlobMissing, type BlobId } from '../storage/blobs/blobs.ts';
import { ScannerUnavailable, type ScanVerdict } from '../services/scanner/scanner.ts';
import { days, hours, minutes, seconds } from '../lib/clock.ts';
import { quarantine } from '../moderation/quarantine.ts';
import { noteFind, tellOwnersOfFinds } from '../moderation/rescan-finds.ts';
import { scanBlob } from '../moderation/scan-blob.ts';
import { noteVerdict } from '../moderation/scan-results.ts';
import { checkScanner } from '../moderation/scanner-health.ts';
import { DeletionLimitExceeded } from './deletion-limit.ts';
import { inPages, type Job, type JobRun } from './job.ts';

const blobsPerPage = 100;
const longestScan = minutes(10);
/** A rest as long as each scan leaves half of the scanner for uploads. */
const longestRest = seconds(30);

/**
 * A bad signature finds something everywhere, so the deletion limit applies to the finds of a week. What is over the
 * limit stays due and waits for an operator; the rest is scanned all the same.
 */
export const rescan: Job = {
  name: 'rescan',
  pattern: '23 * * * *',
  hasDeletionLimit: true,
  async run(run) {
    const { context, dryRun, signal } = run;
    const done = { scanned: 0, infected: 0, quarantined: 0 };
    if (!context.scanner.scans) return done;
    if (dryRun) return { ...done, scanned: await countDue(context) };
    const mayQuarantine = await openLimit(run);
    let waiting = 0;
    const treat = async (blob: DueBlob) => {
      const verdict = await judge(context, blob, signal);
      done.scanned += 1;
      if (verdict?.kind !== 'infected') return noteResult(run, blob.id, verdict);
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
          await rest(Math.min(longestRest, context.clock.monotonic() - startedAt), signal);
        }
    } finally {
      await tellOwnersOfFinds(context);
    }
    if (waiting > 0) throw await tooMany(context, waiting);
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

async function countDue(context: Context): Promise<number> {
  const counted = due(context).select((eb) => eb.fn.countAll<number>().as('blobs'));
  return (await counted.executeTakeFirstOrThrow()).blobs;
}

/** Says whether the n-th find may be quarantined. While an alarm stands, only the allowed ones are. */
async function openLimit({ context: { db, clock }, deletionLimit }: JobRun): Promise<(found: number) => boolean> {
  const { allowed } = deletionLimit;
  if (allowed !== null) return (found) => found <= allowed;
  const job = await db.selectFrom('jobs').selectAll().where('name', '=', rescan.name).executeTakeFirst();
  if (job && job.deletion_limit_exceeded_at !== null) return () => false;
  const lately = db.selectFrom('rescan_finds').select((eb) => eb.fn.countAll<number>().as('finds'));
  const { finds } = await lately.where('found_at', '>', clock.now() - days(7)).executeTakeFirstOrThrow();
  const inUse = await countInUse(db);
  return (found) => deletionLimit.admits(finds + found, inUse);
}

async function tooMany({ db }: Context, suspects: number): Promise<DeletionLimitExceeded> {
  const what = suspects === 1 ? '1 stored file looks' : `${suspects} stored files look`;
  const says = `${what} infected and wait for 'holdfast jobs run ${rescan.name} --allow ${suspects}', because that is too much for one week or an alarm stands.`;
  return new DeletionLimitExceeded(suspects, await countInUse(db), says);
}

async function countInUse(db: Context['db']): Promise<number> {
  // Written out so that the partial index is used.
  const { rows } = await sql<{ blobs: number }>`SELECT count(*) AS blobs FROM blobs WHERE used_by > 0`.execute(db);
  return rows[0]?.blobs ?? 0;
}

/** Returns null when these bytes cannot be judged although the scanner responds. */
async function judge(context: Context, blob: DueBlob, signal: AbortSignal): Promise<ScanVerdict | null> {
  const blocked = context.db.selectFrom('blocked_digests').select('reference').where('reason', '=', 'malware');
  const known = await blocked.where('sha256', '=', blob.sha256).executeTakeFirst();
  if (known) return { kind: 'infected', signature: known.reference };
  try {
    const bytes = { blobId: blob.id, size: blob.size };
    return await scanBlob(context, bytes, AbortSignal.any([signal, AbortSignal.timeout(longestScan)]));
  } catch (error) {
    if (error instanceof BlobMissing)
      context.log.error({ err: error, blob: blob.id }, 'ALARM: stored bytes are missing or short');
    else if (!(error instanceof ScannerUnavailable) || (!signal.aborted && !(await checkScanner(context)))) throw error;
    else context.log.warn({ err: error, blob: blob.id }, 'a malware scan was interrupted');
    return null;
  }
}

/** Without a verdict the previous one is kept until the next scan. */
async function noteResult(
  { context, signal }: JobRun,
  id: BlobId,
  verdict: Exclude<ScanVerdict, { kind: 'infected' }> | null,
) {
  const { db, clock } = context;
  if (verdict) await noteVerdict(context, id, verdict.kind);
  else if (!signal.aborted)
    await db.updateTable('blobs').set({ scanned_at: clock.now() }).where('id', '=', id).execute();
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
