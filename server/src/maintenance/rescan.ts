import { setTimeout } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { BlobMissing, type BlobId } from '../engines/blobs/blobs.ts';
import { ScannerUnavailable, type Verdict } from '../engines/scanner/scanner.ts';
import { type MalwareLetters, oneLetterPerOwner } from '../files/one-letter-per-owner.ts';
import { quarantine } from '../files/quarantine.ts';
import { scanBlob } from '../files/scan-blob.ts';
import { noteVerdict } from '../files/scan-results.ts';
import { checkScanner } from '../files/scanner-health.ts';
import { clockSkew, hours, minutes, seconds } from '../lib/clock.ts';
import type { Job, JobRun } from './job.ts';
import { openRescanLimit, type RescanLimit } from './rescan-limit.ts';

/** Signatures change daily. */
const scannedEvery = hours(24);
const batchSize = 100;
const longestScan = minutes(10);
/** After each file it rests as long as that took, so that half of the scanner is left for uploads. */
const longestRest = seconds(30);

/**
 * Everything that is found within a round is collected before any of it goes, so that a bad signature is noticed first.
 * After so long the round is over, because a run over a large storage takes hours.
 */
const longestRound = minutes(3);

/**
 * Scans everything stored again, a day after its last scan, the least recently scanned first: new signatures find what
 * was not known before. Each blob is marked when it is done, so a run that is stopped goes on where it was. It works in
 * rounds: what a round suspects goes to quarantine when the round is over, as far as the limit permits. Suspects that
 * have to wait stay due, and the rest is scanned all the same.
 */
export const rescan: Job = {
  name: 'rescan',
  pattern: '23 * * * *',
  async run(run) {
    const { context, dryRun, signal } = run;
    // Blobs, blobs and files.
    const done: Done = { scanned: 0, infected: 0, quarantined: 0 };
    if (!context.scanner.scans) return done;
    const suspected = -context.clock.now();
    const ranges = rangesDue(context, suspected);
    if (dryRun) return { ...done, scanned: await countDue(context, ranges) };
    const limit = await openRescanLimit(run, rescan.name);
    const letters = oneLetterPerOwner(context);
    let waiting = 0;
    try {
      for (let isOver = false; !isOver;) {
        const suspects: Suspect[] = [];
        try {
          isOver = await scanRound(run, { ranges, suspected, suspects, done });
        } finally {
          if (!signal.aborted) waiting += await takeSuspects(run, suspects, { limit, letters, done });
        }
        // A run that was stopped has not ended well: an alarm stands until one has.
        signal.throwIfAborted();
      }
    } finally {
      await letters.send().catch((error: unknown) => {
        context.log.warn({ err: error }, 'letters about malware could not be released, and leave within the hour');
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

/** From when until when the scans lie that are due in a run. */
interface Due {
  readonly above: number;
  readonly upTo: number;
}

/**
 * Suspects are marked with the negative time of the run: so those that have to wait are the first ones in each later run,
 * whatever its clock says, and no longer due in this one. A scan that lies ahead is of a clock that was wrong. One range
 * at a time, so that the index finds them all.
 */
function rangesDue({ clock }: Context, suspected: number): readonly Due[] {
  const now = clock.now();
  return [
    { above: Number.MIN_SAFE_INTEGER, upTo: suspected - 1 },
    { above: suspected, upTo: now - scannedEvery },
    { above: now + clockSkew, upTo: Number.MAX_SAFE_INTEGER },
  ];
}

/** What is held is on its way out, and keeps no verdict. */
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
    if (rows.length > 0) return rows.map((row) => ({ ...row, blobId: row.blobId as BlobId }));
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
  /** The mark of a suspect. */
  readonly suspected: number;
  /** Added to at once, so that they are known also when the scanner breaks off. */
  readonly suspects: Suspect[];
  readonly done: Done;
}

/** Scans for as long as a round lasts. True when nothing is due any more. */
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
  readonly letters: MalwareLetters;
  readonly done: Done;
}

/** Puts in quarantine what the limit permits, and answers how many have to wait. */
async function takeSuspects(
  { context, memory }: JobRun,
  suspects: readonly Suspect[],
  { limit, letters, done }: Taking,
): Promise<number> {
  await letters.wait();
  done.infected += suspects.length;
  const admitted = await limit.admit(suspects.map(({ sha256 }) => sha256));
  for (const blob of suspects.slice(0, admitted)) {
    const { files } = await quarantine(context, memory, blob, blob.signature, letters.about(blob.sha256));
    done.quarantined += files;
  }
  return suspects.length - admitted;
}

/**
 * Null when these bytes cannot be judged although the scanner answers.
 * @throws {ScannerUnavailable} when it does not: then the next run goes on here.
 */
async function judge(context: Context, blob: DueBlob, signal: AbortSignal): Promise<Verdict | null> {
  const blocked = context.db.selectFrom('blocked_digests').select('reference').where('reason', '=', 'malware');
  const known = await blocked.where('sha256', '=', blob.sha256).executeTakeFirst();
  if (known) return { kind: 'infected', signature: known.reference };
  try {
    return await scanBlob(context, blob, AbortSignal.any([signal, AbortSignal.timeout(longestScan)]));
  } catch (error) {
    if (error instanceof BlobMissing)
      context.log.error({ err: error, blob: blob.blobId }, 'ALARM: stored bytes are missing or short');
    else if (!(error instanceof ScannerUnavailable) || (!signal.aborted && !(await checkScanner(context)))) throw error;
    else context.log.warn({ err: error, blob: blob.blobId }, 'a malware scan was broken off');
    return null;
  }
}

/** The verdict from before counts until it is scanned again. */
async function putOff({ db }: Context, blobId: BlobId, scannedAt: number): Promise<void> {
  await db.updateTable('blobs').set({ scanned_at: scannedAt }).where('id', '=', blobId).execute();
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
