import type { Context } from '../context.ts';
import { noteVerdict, servePending } from './scan-results.ts';
import { quarantine } from './quarantine.ts';
import { findKnownMalware, scanStored } from './scan-stored.ts';
import { checkScanner } from './scanner-health.ts';

type PendingBlob = Awaited<ReturnType<typeof pendingBlobs>>[number];

const blobsPerRun = 500;
const atOnce = 4;
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
      if (verdict === null) isUp = !signal.aborted && (await countTry(context, blob));
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
async function judge(context: Context, blob: PendingBlob, signal: AbortSignal) {
  const malware = await findKnownMalware(context, blob.sha256);
  if (malware) return malware;
  if (blob.state !== 'pending') return 'known';
  if (!context.scanner.scans) return { kind: 'unscanned' } as const;
  if (blob.tries >= mostTries) return { kind: 'unscannable' } as const;
  return scanStored(context, blob, signal);
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
