import { setTimeout } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { BlobMissing, type BlobId } from '../../engines/blobs/blobs.ts';
import { ScannerUnavailable, type ScanVerdict } from '../../engines/scanner/scanner.ts';
import { type MalwareEmails, oneEmailPerOwner } from '../../moderation/one-email-per-owner.ts';
import { quarantine } from '../../moderation/quarantine.ts';
import { scanBlob } from '../../moderation/scan-blob.ts';
import { noteVerdict } from '../../moderation/scan-results.ts';
import { checkScanner } from '../../moderation/scanner-health.ts';
import { hours, minutes, seconds } from '../../lib/clock.ts';
import type { Job, JobRun } from '../job.ts';
import { openRescanLimit, type RescanLimit } from './rescan-limit.ts';

/** Signatures change daily. */
const scannedEvery = hours(24);
const batchSize = 100;
const longestScan = minutes(10);
/** After each file the job rests for as long as the scan took, which leaves half of the scanner for uploads. */
const longestRest = seconds(30);

/**
 * All finds of a round are collected before any file is withheld, so that a bad signature is noticed first. A round
 * ends after this time, because a run over a large storage takes hours.
 */
const longestRound = minutes(3);

/**
 * Scans everything stored again a day after its last scan, least recently scanned first, because new signatures find
 * what was unknown before. Each blob is marked when it is done, so a stopped run continues where it was. The job works
 * in rounds: the suspects of a round are quarantined when the round is over, as far as the limit permits. Suspects over
 * the limit stay due, and the rest is scanned all the same.
 */
export const rescan: Job = {
  name: 'rescan',
  pattern: '23 * * * *',
  async run(run) {
    const { context, dryRun, signal } = run;
    // Numbers of blobs, blobs and files.
    const done: Done = { scanned: 0, infected: 0, quarantined: 0 };
    if (!context.scanner.scans) return done;
    const suspected = -context.clock.now();
    const ranges = rangesDue(context, suspected);
    if (dryRun) return { ...done, scanned: await countDue(context, ranges) };
    const limit = await openRescanLimit(run, rescan.name);
    const emails = oneEmailPerOwner(context);
    let waiting = 0;
    try {
      for (let isOver = false; !isOver;) {
        const suspects: Suspect[] = [];
        try {
          isOver = await scanRound(run, { ranges, suspected, suspects, done });
        } finally {
          if (!signal.aborted) waiting += await takeSuspects(run, suspects, { limit, emails, done });
        }
        // A stopped run has not succeeded: an alarm remains until a run succeeds.
        signal.throwIfAborted();
      }
    } finally {
      await emails.send().catch((error: unknown) => {
        context.log.warn({ err: error }, 'emails about malware could not be released and will be sent within the hour');
      });
    }
    if (waiting > 0) throw await limit.refusal(waiting);
    return done;
  },
};

interface DueBlob {
  readonly blobId: BlobId;
  readonly sha256: string;
  readonly size: number;
}

/** A range of scan times that are due in a run. */
interface Due {
  readonly above: number;
  readonly upTo: number;
}

/**
 * Suspects are marked with the negative time of the run, so those over the limit come first in each later run, whatever
 * its clock, and are no longer due in this one. The ranges are
 * queried one at a time, so that the index finds them all.
 */
function rangesDue({ clock }: Context, suspected: number): readonly Due[] {
  const now = clock.now();
  return [
    { above: Number.MIN_SAFE_INTEGER, upTo: suspected - 1 },
    { above: suspected, upTo: now - scannedEvery },
  ];
}

/** Excludes held blobs: they are about to be removed and keep no verdict. */
const dueBlobs = ({ db }: Context, { above, upTo }: Due) =>
  db
    .selectFrom('blobs')
    .where((eb) => eb('used_by', '>', eb.lit(0)))
    .where('held_for', 'is', null)
    .where('scanned_at', '>', above)
    .where('scanned_at', '<=', upTo);

async function nextDue(context: Context, ranges: readonly Due[]): Promise<DueBlob[]> {
  for (const range of ranges) {
    const rows = await dueBlobs(context, range)
      .select(['id as blobId', 'sha256', 'size'])
      .orderBy('scanned_at')
      .limit(batchSize)
      .execute();
    if (rows.length > 0) return rows;
  }
  return [];
}

async function countDue(context: Context, ranges: readonly Due[]): Promise<number> {
  let blobs = 0;
  for (const range of ranges) {
    const counted = dueBlobs(context, range).select((eb) => eb.fn.countAll<number>().as('blobs'));
    blobs += (await counted.executeTakeFirstOrThrow()).blobs;
  }
  return blobs;
}

type Done = Record<'scanned' | 'infected' | 'quarantined', number>;

interface Suspect extends DueBlob {
  readonly signature: string;
}

interface Round {
  readonly ranges: readonly Due[];
  /** The scan time that marks a suspect. */
  readonly suspected: number;
  /** Suspects are added at once, so that they are known even if the scanner fails midway. */
  readonly suspects: Suspect[];
  readonly done: Done;
}

/** Scans for the length of a round. Returns true when nothing is due any more. */
async function scanRound({ context, signal }: JobRun, { ranges, suspected, suspects, done }: Round): Promise<boolean> {
  const endsAt = performance.now() + longestRound;
  for (let due; (due = await nextDue(context, ranges)).length > 0;)
    for (const blob of due) {
      if (signal.aborted || performance.now() >= endsAt) return false;
      const startedAt = performance.now();
      const verdict = await judge(context, blob, signal);
      done.scanned += 1;
      if (verdict?.kind === 'infected') {
        await putOff(context, blob.blobId, suspected);
        suspects.push({ ...blob, signature: verdict.signature });
      } else if (verdict) await noteVerdict(context, blob.blobId, verdict.kind);
      else if (!signal.aborted) await putOff(context, blob.blobId, context.clock.now());
      await rest(Math.min(longestRest, performance.now() - startedAt), signal);
    }
  return true;
}

interface Taking {
  readonly limit: RescanLimit;
  readonly emails: MalwareEmails;
  readonly done: Done;
}

/** Quarantines what the limit permits and returns the number of suspects that have to wait. */
async function takeSuspects(
  { context, memory }: JobRun,
  suspects: readonly Suspect[],
  { limit, emails, done }: Taking,
): Promise<number> {
  await emails.wait();
  done.infected += suspects.length;
  const admitted = await limit.admit(suspects.map(({ sha256 }) => sha256));
  for (const blob of suspects.slice(0, admitted)) {
    const { files } = await quarantine(context, memory, blob, blob.signature, emails.about(blob.sha256));
    done.quarantined += files;
  }
  return suspects.length - admitted;
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
async function putOff({ db }: Context, blobId: BlobId, scannedAt: number): Promise<void> {
  await db.updateTable('blobs').set({ scanned_at: scannedAt }).where('id', '=', blobId).execute();
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
