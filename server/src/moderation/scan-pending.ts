import type { Context } from '../context.ts';
import { BlobMissing } from '../storage/blobs/blobs.ts';
import { ScannerUnavailable, type ScanVerdict } from '../services/scanner/scanner.ts';
import { minutes } from '../lib/clock.ts';
import { noteVerdict, servePending } from './scan-results.ts';
import { quarantine } from './quarantine.ts';
import { scanBlob } from './scan-blob.ts';
import { checkScanner } from './scanner-health.ts';

type PendingBlob = Awaited<ReturnType<typeof pendingBlobs>>[number];

const blobsPerRun = 500;
const atOnce = 4;
const longestScan = minutes(10);
/** After as many interrupted scans, while others succeed, bytes count as unscannable. */
const mostTries = 5;

/** If no scanner is configured any more, all pending files are served, like new uploads. Returns numbers of files. */
export async function scanPendingBlobs(context: Context, signal: AbortSignal) {
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

function pendingBlobs({ db }: Context) {
  return db
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
}

/** 'known' means that their row already has a verdict. */
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

async function countTry(context: Context, { blobId }: PendingBlob): Promise<boolean> {
  if (!(await checkScanner(context))) return false;
  await context.db
    .updateTable('blobs')
    .set((eb) => ({ scan_tries: eb('scan_tries', '+', 1) }))
    .where('id', '=', blobId)
    .execute();
  return true;
}
