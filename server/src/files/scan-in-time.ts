import type { Context } from '../context.ts';
import { ScannerUnavailable, type Verdict } from '../engines/scanner/scanner.ts';
import { seconds } from '../lib/clock.ts';
import type { StoredBytes } from './read-blob.ts';
import { scanBlob } from './scan-blob.ts';
import { checkScanner, isScannerDown } from './scanner-health.ts';

/** Decisions section 4. */
const longestWait = seconds(10);

/**
 * The verdict on bytes that somebody waits for, or null when there is none within ten seconds: down, hung or slow. Where
 * the scanner was found down a moment ago nobody waits at all.
 */
export async function scanInTime(context: Context, bytes: StoredBytes): Promise<Verdict | null> {
  if (isScannerDown(context)) return null;
  const signal = AbortSignal.timeout(longestWait);
  try {
    // Reading the bytes may hang as well as the scanner.
    return await Promise.race([scanBlob(context, bytes, signal), rejectWhen(signal)]);
  } catch (error) {
    if (!(error instanceof ScannerUnavailable)) throw error;
    context.log.warn({ err: error, blob: bytes.blobId }, 'an upload has to wait for its malware scan');
    void checkScanner(context);
    return null;
  }
}

function rejectWhen(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new ScannerUnavailable('it takes too long', signal.reason)));
  });
}
