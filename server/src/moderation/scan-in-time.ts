import type { Context } from '../context.ts';
import { ScannerUnavailable, type ScanVerdict } from '../engines/scanner/scanner.ts';
import { seconds } from '../lib/clock.ts';
import type { StoredBytes } from '../files/read-blob.ts';
import { scanBlob } from './scan-blob.ts';
import { checkScanner, isScannerDown } from './scanner-health.ts';

/** Longest time that an upload waits for the scanner. After it, the file is pending. */
const longestWait = seconds(10);

/**
 * Returns the verdict on the bytes of a waiting upload, or null if the scanner is down, hung or slow and gives none
 * within ten seconds. If the scanner was found down a moment ago, it returns null at once.
 */
export async function scanInTime(context: Context, bytes: StoredBytes): Promise<ScanVerdict | null> {
  if (isScannerDown(context)) return null;
  const signal = AbortSignal.timeout(longestWait);
  try {
    // Reading the bytes may also hang.
    return await Promise.race([scanBlob(context, bytes, signal), rejectWhen(signal)]);
  } catch (error) {
    if (!(error instanceof ScannerUnavailable)) throw error;
    context.log.warn({ err: error, blob: bytes.blobId }, 'an upload is waiting for its malware scan');
    void checkScanner(context);
    return null;
  }
}

function rejectWhen(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new ScannerUnavailable('it takes too long', signal.reason)));
  });
}
