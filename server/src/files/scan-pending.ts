import type { Memory } from '../accounts/close-account.ts';
import type { Context } from '../context.ts';
import { BlobMissing, type BlobId } from '../engines/blobs/blobs.ts';
import type { ScanState } from '../engines/database/schema.ts';
import { ScannerUnavailable, type Verdict } from '../engines/scanner/scanner.ts';
import { minutes } from '../lib/clock.ts';
import { noteVerdict, servePending } from './scan-results.ts';
import { quarantine } from './quarantine.ts';
import { scanBlob } from './scan-blob.ts';
import { checkScanner } from './scanner-health.ts';

export interface PendingScans {
  /** Files that are served from now on. */
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
/** Bytes at which the scanner breaks off again and again, while it answers others, are beyond it. */
const mostTries = 5;

/**
 * Scans what was uploaded while the scanner was away, the oldest first, and serves it or puts it in quarantine. Where no
 * scanner is configured any more, everything is served, as whatever is uploaded then.
 */
export async function scanPending(context: Context, memory: Memory, signal: AbortSignal): Promise<PendingScans> {
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
        const { files } = await quarantine(context, memory, blob, verdict.signature);
        // Only now is the sum read: others add to it meanwhile.
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
  return rows.map((row) => ({ ...row, blobId: row.blobId as BlobId }));
}

/** What the scanner says of the bytes; or it is known from elsewhere, and in their row; or there is none. */
async function judge(
  { db, blobs, scanner, log }: Context,
  { blobId, sha256, size, state, tries }: PendingBlob,
  signal: AbortSignal,
): Promise<Verdict | { readonly kind: 'unscanned' } | 'known' | 'none'> {
  const blocked = await db.selectFrom('blocked_digests').selectAll().where('sha256', '=', sha256).executeTakeFirst();
  if (blocked?.reason === 'malware') return { kind: 'infected', signature: blocked.reference };
  if (state !== 'pending') return 'known';
  if (!scanner.scans) return { kind: 'unscanned' };
  if (tries >= mostTries) return { kind: 'unscannable', why: 'the scanner always breaks off' };
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
    else log.warn({ err: error, blob: blobId }, 'a pending malware scan was broken off');
    return 'none';
  }
}

/** Only while the scanner answers others do these bytes have to do with it. Answers whether it does. */
async function countTry(context: Context, { blobId }: PendingBlob): Promise<boolean> {
  if (!(await checkScanner(context))) return false;
  await context.db
    .updateTable('blobs')
    .set((eb) => ({ scan_tries: eb('scan_tries', '+', 1) }))
    .where('id', '=', blobId)
    .execute();
  return true;
}
