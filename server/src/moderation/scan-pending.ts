import type { Context } from '../context.ts';
import { BlobMissing, type BlobId } from '../storage/blobs/blobs.ts';
import type { ScanState } from '../storage/db/schema.ts';
import { ScannerUnavailable, type ScanVerdict } from '../services/scanner/scanner.ts';
import { minutes } from '../lib/clock.ts';
import { noteVerdict, servePending } from './scan-results.ts';
import { quarantine } from './quarantine.ts';
import { scanBlob } from './scan-blob.ts';
import { checkScanner } from './scanner-health.ts';

export interface PendingScans {
  /** Files that are now served. */
  readonly cleared: number;
  /** Files that turned out to be malware. */
  readonly quarantined: number;
}

interface PendingBlob {
  readonly blobId: BlobId;
  readonly sha256: string;
  readonly size: number;
  readonly state: ScanState;
  readonly tries: number;
}

const blobsPerRun = 500;
const atOnce = 4;
const longestScan = minutes(10);
/** After this many broken-off scans, while other scans succeed, the bytes count as unscannable. */
const mostTries = 5;

/**
 * Scans files uploaded while the scanner was unavailable, oldest first, and then serves or quarantines them. If no
 * scanner is configured any more, it serves all of them, like new uploads.
 */
export async function scanPendingBlobs(context: Context, signal: AbortSignal): Promise<PendingScans> {
  const done = { cleared: 0, quarantined: 0 };
  const waiting = await pendingBlobs(context);
  if (waiting.some(({ state }) => state === 'pending') && context.scanner.scans && !(await checkScanner(context)))
    return done;
  const queue = waiting.values();
  let isUp = true;
  const work = async () => {
    for (const blob of queue) {
      if (signal.aborted || !isUp) return;
      const verdict = await judge(context, blob, signal);
      if (verdict === 'none') isUp = !signal.aborted && (await countTry(context, blob));
      else if (verdict !== 'known' && verdict.kind === 'infected') {
        const { files } = await quarantine(context, blob, verdict.signature);
        // Reads the sum only now, because the other workers add to it in the meantime.
        done.quarantined += files;
      } else {
        if (verdict !== 'known') await noteVerdict(context, blob.blobId, verdict.kind);
        const served = await servePending(context, blob.blobId);
        done.cleared += served;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done;
}

async function pendingBlobs({ db }: Context): Promise<PendingBlob[]> {
  const rows = await db
    .selectFrom('files')
    .innerJoin('blobs', 'blobs.id', 'files.blob_id')
    .select([
      'blobs.id as blobId',
      'blobs.sha256',
      'blobs.size',
      'blobs.scan_state as state',
      'blobs.scan_tries as tries',
    ])
    .where((eb) => eb('files.pending_scan', '=', eb.lit(1)))
    .where('files.deleted_at', 'is', null)
    .groupBy(['blobs.id', 'blobs.sha256', 'blobs.size', 'blobs.scan_state', 'blobs.scan_tries'])
    .orderBy('blobs.scan_tries')
    .orderBy((eb) => eb.fn.min('files.id'))
    .limit(blobsPerRun)
    .execute();
  return rows;
}

/**
 * Returns the scanner's verdict on the bytes, 'known' if their row already has one, or 'none' if there is no verdict.
 */
async function judge(
  { db, blobs, scanner, log }: Context,
  { blobId, sha256, size, state, tries }: PendingBlob,
  signal: AbortSignal,
): Promise<ScanVerdict | { readonly kind: 'unscanned' } | 'known' | 'none'> {
  const blocked = await db.selectFrom('blocked_digests').selectAll().where('sha256', '=', sha256).executeTakeFirst();
  if (blocked?.reason === 'malware') return { kind: 'infected', signature: blocked.reference };
  if (state !== 'pending') return 'known';
  if (!scanner.scans) return { kind: 'unscanned' };
  if (tries >= mostTries) return { kind: 'unscannable', why: 'every scan was interrupted' };
  try {
    return await scanBlob(
      { blobs, scanner },
      { blobId, size },
      AbortSignal.any([signal, AbortSignal.timeout(longestScan)]),
    );
  } catch (error) {
    if (error instanceof BlobMissing)
      log.error({ err: error, blob: blobId }, 'ALARM: stored bytes are missing or short');
    else if (!(error instanceof ScannerUnavailable)) throw error;
    else log.warn({ err: error, blob: blobId }, 'a pending malware scan was interrupted');
    return 'none';
  }
}

/**
 * Counts a failed try only while the scanner is up, because otherwise the bytes are not the cause. Returns whether it
 * is up.
 */
async function countTry(context: Context, { blobId }: PendingBlob): Promise<boolean> {
  if (!(await checkScanner(context))) return false;
  await context.db
    .updateTable('blobs')
    .set((eb) => ({ scan_tries: eb('scan_tries', '+', 1) }))
    .where('id', '=', blobId)
    .execute();
  return true;
}
