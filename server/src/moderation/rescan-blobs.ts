import { setTimeout } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { seconds } from '../lib/clock.ts';
import { ScannerUnavailable } from '../services/scanner/scanner.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import { inPages } from '../storage/db/batches.ts';
import { quarantine } from './quarantine.ts';
import { noteFind, tellOwnersOfFinds } from './rescan-finds.ts';
import { noteVerdict } from './scan-results.ts';
import { findKnownMalware, scanStored } from './scan-stored.ts';
import { checkScanner } from './scanner-health.ts';

const blobsPerPage = 100;
/** A rest as long as each scan leaves half of the scanner for uploads. */
const longestRest = seconds(30);

export const blobsToRescan = ({ db }: Context, scannedBefore: number) =>
  db
    .selectFrom('blobs')
    .where((eb) => eb('used_by', '>', eb.lit(0)))
    .where('held_for', 'is', null)
    .where('scanned_at', '<=', scannedBefore);

/** `mayQuarantine` gets the number of infected blobs so far; those that it refuses go on being served. */
export async function rescanBlobs(
  context: Context,
  scannedBefore: number,
  signal: AbortSignal,
  mayQuarantine: (found: number) => boolean,
  passOver: (item: string, error: unknown) => void,
) {
  const done = { scanned: 0, infected: 0, quarantined: 0, waiting: 0 };
  const treat = async (blob: DueBlob) => {
    const { id: blobId, size, sha256 } = blob;
    const onBadBytes = (error: unknown) => passOver(`blob ${blobId}`, error);
    const verdict =
      (await findKnownMalware(context, sha256)) ?? (await scanStored(context, { blobId, size }, signal, onBadBytes));
    done.scanned += 1;
    if (verdict === null) return skip(context, blobId, signal);
    if (verdict.kind !== 'infected') return noteVerdict(context, blobId, verdict.kind);
    done.infected += 1;
    if (mayQuarantine(done.infected)) {
      await noteFind(context, sha256);
      done.quarantined += (await quarantine(context, blob, verdict.signature)).files;
    } else if ((done.waiting += 1) === 1)
      context.log.error('ALARM: the rescan found too much and quarantines nothing more');
  };
  try {
    for await (const page of duePages(context, scannedBefore, signal))
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
  return done;
}

interface DueBlob {
  readonly id: BlobId;
  readonly sha256: string;
  readonly size: number;
  readonly scanned_at: number;
}

function duePages(context: Context, scannedBefore: number, signal: AbortSignal) {
  const all = blobsToRescan(context, scannedBefore);
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

async function skip(context: Context, id: BlobId, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (!(await checkScanner(context))) throw new ScannerUnavailable('it does not respond');
  await context.db.updateTable('blobs').set({ scanned_at: context.clock.now() }).where('id', '=', id).execute();
}
