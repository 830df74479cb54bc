import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { rowsOf } from '../storage/db/statement.ts';
import { ScannerUnavailable, type ScanVerdict } from '../services/scanner/scanner.ts';
import { readBlob, type StoredBytes } from '../files/read-blob.ts';
import { days, seconds } from '../lib/clock.ts';
import { inTime } from '../lib/in-time.ts';
import { quarantine } from '../moderation/quarantine.ts';
import type { Received } from './receive.ts';
import { blockedDigest, refuseIfBlocked } from '../moderation/blocklist.ts';
import { checkScanner, isScannerDown } from '../moderation/scanner-health.ts';

export interface Scanned {
  readonly state: 'unscanned' | 'pending' | 'clean' | 'unscannable';
  readonly at: number;
}

const cleanFor = days(1);

/** Infected bytes are blocked and removed from all accounts that have them; the caller removes those of this upload. */
export async function scanUpload(context: Context, received: Received): Promise<Scanned> {
  const { db, scanner, clock, log } = context;
  if (!scanner.scans) return { state: 'unscanned', at: 0 };
  const [blocked] = await rowsOf(db, blockedDigest(db, received));
  refuseIfBlocked(blocked);
  const cleanAt = await lastFoundClean(context, received.sha256);
  if (cleanAt !== null) return { state: 'clean', at: cleanAt };
  const verdict = await scanInTime(context, received);
  if (verdict === null) return { state: 'pending', at: 0 };
  if (verdict.kind === 'infected') {
    log.warn({ sha256: received.sha256, signature: verdict.signature }, 'an upload was refused as malware');
    await quarantine(context, received, verdict.signature);
    throw new Failure('UPLOAD_MALWARE');
  }
  return { state: verdict.kind, at: clock.now() };
}

async function lastFoundClean({ db, clock }: Context, sha256: string): Promise<number | null> {
  const blob = await db
    .selectFrom('blobs')
    .select('scanned_at')
    .where('sha256', '=', sha256)
    .where('scan_state', '=', 'clean')
    .where('scanned_at', '>', clock.now() - cleanFor)
    .executeTakeFirst();
  return blob?.scanned_at ?? null;
}

const longestWait = seconds(10);

/** Null if the scanner gives no verdict in time. */
async function scanInTime(context: Context, bytes: StoredBytes): Promise<ScanVerdict | null> {
  if (isScannerDown(context)) return null;
  const scan = context.scanner.scan(readBlob(context.blobs, bytes), AbortSignal.timeout(longestWait));
  try {
    // Reading the bytes may also hang.
    return await inTime(scan, longestWait, () => new ScannerUnavailable('it takes too long'));
  } catch (error) {
    if (!(error instanceof ScannerUnavailable)) throw error;
    context.log.warn({ err: error, blob: bytes.blobId }, 'an upload is waiting for its malware scan');
    void checkScanner(context);
    return null;
  }
}
