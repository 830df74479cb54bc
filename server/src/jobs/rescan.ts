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
import type { Job, JobRun } from './job.ts';

/** Signatures change daily. */
const scannedEvery = hours(24);
const batchSize = 100;
const longestScan = minutes(10);
/** After each file the job rests for as long as the scan took, which leaves half of the scanner for uploads. */
const longestRest = seconds(30);

/**
 * Scans everything stored again a day after its last scan, because new signatures find what was unknown before. A bad
 * signature finds something everywhere, so the deletion limit applies to the finds of a week. What is over the limit
 * stays due and waits for an operator, who sees an alarm; the rest is scanned all the same.
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
    try {
      for await (const blob of dueBlobs(context)) {
        signal.throwIfAborted();
        const startedAt = context.clock.monotonic();
        const verdict = await judge(context, blob, signal);
        done.scanned += 1;
        if (verdict?.kind === 'infected') {
          done.infected += 1;
          if (mayQuarantine()) {
            await noteFind(context, blob.sha256);
            done.quarantined += (await quarantine(context, blob, verdict.signature)).files;
          } else if ((waiting += 1) === 1)
            context.log.error({ job: rescan.name }, 'ALARM: the rescan found too much and quarantines nothing more');
        } else if (verdict) await noteVerdict(context, blob.blobId, verdict.kind);
        else if (!signal.aborted) await putOff(context, blob.blobId);
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
  readonly blobId: BlobId;
  readonly sha256: string;
  readonly size: number;
}

/** Excludes held blobs: they are about to be removed and keep no verdict. */
const due = ({ db, clock }: Context) =>
  db
    .selectFrom('blobs')
    .where((eb) => eb('used_by', '>', eb.lit(0)))
    .where('held_for', 'is', null)
    .where('scanned_at', '<=', clock.now() - scannedEvery);

/** Yields each once, the least recently scanned first. */
async function* dueBlobs(context: Context): AsyncGenerator<DueBlob> {
  const all = due(context);
  for (let [time, id] = [-1, '' as BlobId]; ;) {
    const [afterTime, afterId] = [time, id];
    const page = await all
      .select(['id as blobId', 'sha256', 'size', 'scanned_at'])
      .where((eb) => eb(eb.refTuple('scanned_at', 'id'), '>', eb.tuple(afterTime, afterId)))
      .orderBy('scanned_at')
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    [time, id] = [last.scanned_at, last.blobId];
    yield* page;
  }
}

async function countDue(context: Context): Promise<number> {
  const counted = due(context).select((eb) => eb.fn.countAll<number>().as('blobs'));
  return (await counted.executeTakeFirstOrThrow()).blobs;
}

/** Returns a function that says whether one more blob may be quarantined. While an alarm stands, only the allowed ones. */
async function openLimit({ context: { db, clock }, deletionLimit, allowed = null }: JobRun): Promise<() => boolean> {
  const job = db.selectFrom('jobs').select('deletion_limit_exceeded_at').where('name', '=', rescan.name);
  const isAlarmed = ((await job.executeTakeFirst())?.deletion_limit_exceeded_at ?? null) !== null;
  if (isAlarmed && allowed === null) return () => false;
  const lately = db.selectFrom('rescan_finds').select((eb) => eb.fn.countAll<number>().as('finds'));
  const { finds } = await lately.where('found_at', '>', clock.now() - days(7)).executeTakeFirstOrThrow();
  const inUse = await countInUse(db);
  let found = allowed === null ? finds : 0;
  return () => {
    found += 1;
    if (allowed !== null) return found <= allowed;
    try {
      deletionLimit.check(found, inUse);
      return true;
    } catch (error) {
      if (error instanceof DeletionLimitExceeded) return false;
      throw error;
    }
  };
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

/**
 * Returns null when these bytes cannot be judged although the scanner responds.
 * @throws {ScannerUnavailable} when it does not respond; the next run then continues here.
 */
async function judge(context: Context, blob: DueBlob, signal: AbortSignal): Promise<ScanVerdict | null> {
  const blocked = context.db.selectFrom('blocked_digests').select('reference').where('reason', '=', 'malware');
  const known = await blocked.where('sha256', '=', blob.sha256).executeTakeFirst();
  if (known) return { kind: 'infected', signature: known.reference };
  try {
    return await scanBlob(context, blob, AbortSignal.any([signal, AbortSignal.timeout(longestScan)]));
  } catch (error) {
    if (error instanceof BlobMissing)
      context.log.error({ err: error, blob: blob.blobId }, 'ALARM: stored bytes are missing or short');
    else if (!(error instanceof ScannerUnavailable) || (!signal.aborted && !(await checkScanner(context)))) throw error;
    else context.log.warn({ err: error, blob: blob.blobId }, 'a malware scan was interrupted');
    return null;
  }
}

/** Keeps the previous verdict until the next scan. */
async function putOff({ db, clock }: Context, blobId: BlobId): Promise<void> {
  await db.updateTable('blobs').set({ scanned_at: clock.now() }).where('id', '=', blobId).execute();
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
