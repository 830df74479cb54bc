import type { Context } from '../context.ts';
import { readBlob, type StoredBytes } from '../files/read-blob.ts';
import { ScannerUnavailable, type ScanVerdict } from '../services/scanner/scanner.ts';
import { bytesAlarm, isOfBytes } from '../storage/blobs/blobs.ts';
import { minutes } from '../lib/clock.ts';

const longestScan = minutes(10);

/** Known malware is infected whatever a scanner says. */
export async function findKnownMalware({ db }: Context, sha256: string): Promise<ScanVerdict | null> {
  const known = await db
    .selectFrom('blocked_digests')
    .select('reference')
    .where('sha256', '=', sha256)
    .where('reason', '=', 'malware')
    .executeTakeFirst();
  return known ? { kind: 'infected', signature: known.reference } : null;
}

/** Returns null if the bytes are missing or unreadable, or their scan was interrupted. */
export async function scanStored(
  { blobs, scanner, log }: Context,
  bytes: StoredBytes,
  signal: AbortSignal,
  onBadBytes?: (error: unknown) => void,
): Promise<ScanVerdict | null> {
  try {
    return await scanner.scan(readBlob(blobs, bytes), AbortSignal.any([signal, AbortSignal.timeout(longestScan)]));
  } catch (error) {
    const facts = { err: error, blob: bytes.blobId };
    if (isOfBytes(error)) {
      log.error(facts, bytesAlarm(error));
      onBadBytes?.(error);
    } else if (error instanceof ScannerUnavailable) log.warn(facts, 'a malware scan was interrupted');
    else throw error;
    return null;
  }
}
