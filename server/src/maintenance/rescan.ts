import { setTimeout } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { BlobMissing, type BlobId } from '../engines/blobs/blobs.ts';
import { ScannerUnavailable, type Verdict } from '../engines/scanner/scanner.ts';
import { quarantine } from '../files/quarantine.ts';
import { scanBlob } from '../files/scan-blob.ts';
import { noteVerdict } from '../files/scan-results.ts';
import { checkScanner } from '../files/scanner-health.ts';
import { clockSkew, hours, minutes, seconds } from '../lib/clock.ts';
import type { Job, JobRun } from './job.ts';

/** Signatures change daily. */
const scannedEvery = hours(24);
const batchSize = 100;
const longestScan = minutes(10);
/** After each file it rests as long as that took, so that half of the scanner is left for uploads. */
const longestRest = seconds(30);

/**
 * Scans everything stored again, a day after its last scan, the least recently scanned first: new signatures find what
 * was not known before. Each blob is marked when it is done, so a run that is stopped goes on where it was.
 */
export const rescan: Job = {
  name: 'rescan',
  pattern: '23 * * * *',
  async run(run) {
    const { context, dryRun, signal } = run;
    const done = { scanned: 0, infected: 0, quarantined: 0 };
    if (!context.scanner.scans) return done;
    const until = context.clock.now() - scannedEvery;
    if (dryRun) return { ...done, scanned: await countDue(context, until) };
    for (let due; (due = await nextDue(context, until)).length > 0 && !signal.aborted;) {
      for (const blob of due) {
        if (signal.aborted) return done;
        const startedAt = performance.now();
        await scanAgain(run, blob, done);
        await rest(Math.min(longestRest, performance.now() - startedAt), signal);
      }
    }
    return done;
  },
};

interface DueBlob {
  readonly blobId: BlobId;
  readonly sha256: string;
  readonly size: number;
}

/** A scan that lies ahead is of a clock that was wrong. One range at a time, so that the index finds both. */
const rangesDue = ({ clock }: Context, until: number) => [
  ['<=', until] as const,
  ['>', clock.now() + clockSkew] as const,
];

/** What is held is on its way out, and keeps no verdict. */
const dueBlobs = ({ db }: Context, [operator, time]: ReturnType<typeof rangesDue>[number]) =>
  db
    .selectFrom('blobs')
    .where((eb) => eb('used_by', '>', eb.lit(0)))
    .where('held_for', 'is', null)
    .where('scanned_at', operator, time);

async function nextDue(context: Context, until: number): Promise<DueBlob[]> {
  for (const range of rangesDue(context, until)) {
    const rows = await dueBlobs(context, range)
      .select(['id as blobId', 'sha256', 'size'])
      .orderBy('scanned_at')
      .limit(batchSize)
      .execute();
    if (rows.length > 0) return rows.map((row) => ({ ...row, blobId: row.blobId as BlobId }));
  }
  return [];
}

async function countDue(context: Context, until: number): Promise<number> {
  let blobs = 0;
  for (const range of rangesDue(context, until)) {
    const counted = dueBlobs(context, range).select((eb) => eb.fn.countAll<number>().as('blobs'));
    blobs += (await counted.executeTakeFirstOrThrow()).blobs;
  }
  return blobs;
}

interface Done {
  /** Blobs. */
  scanned: number;
  infected: number;
  /** Files. */
  quarantined: number;
}

async function scanAgain({ context, memory, signal, brake }: JobRun, blob: DueBlob, done: Done): Promise<void> {
  const verdict = await judge(context, blob, signal);
  done.scanned += 1;
  if (verdict?.kind === 'infected') {
    done.infected += 1;
    // A bad signature finds something everywhere.
    brake.check(done.infected, done.scanned);
    done.quarantined += (await quarantine(context, memory, blob, verdict.signature)).files;
  } else if (verdict) await noteVerdict(context, blob.blobId, verdict.kind);
  else if (!signal.aborted) await putOff(context, blob.blobId);
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

/** What it was before counts until tomorrow. */
async function putOff({ db, clock }: Context, blobId: BlobId): Promise<void> {
  await db.updateTable('blobs').set({ scanned_at: clock.now() }).where('id', '=', blobId).execute();
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
