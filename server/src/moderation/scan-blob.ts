import type { Context } from '../context.ts';
import type { ScanVerdict } from '../services/scanner/scanner.ts';
import { readBlob, type StoredBytes } from '../files/read-blob.ts';

/**
 * Returns the scanner's verdict on stored bytes.
 * @throws {ScannerUnavailable} when it gives none before `signal` aborts.
 * @throws {BlobMissing} when the bytes are missing or short.
 */
export async function scanBlob(
  { blobs, scanner }: Pick<Context, 'blobs' | 'scanner'>,
  bytes: StoredBytes,
  signal: AbortSignal,
): Promise<ScanVerdict> {
  return scanner.scan(readBlob(blobs, bytes), signal);
}
