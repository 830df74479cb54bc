import type { Context } from '../context.ts';
import type { Verdict } from '../engines/scanner/scanner.ts';
import { readBlob, type StoredBytes } from './read-blob.ts';

/**
 * The scanner's verdict on stored bytes.
 * @throws {ScannerUnavailable} when it gives none before `signal` aborts.
 * @throws {BlobMissing} when the bytes are missing or short.
 */
export async function scanBlob(
  { blobs, scanner }: Pick<Context, 'blobs' | 'scanner'>,
  bytes: StoredBytes,
  signal: AbortSignal,
): Promise<Verdict> {
  return scanner.scan(readBlob(blobs, bytes), signal);
}
