import type { Context } from '../context.ts';
import type { ScanVerdict } from '../services/scanner/scanner.ts';
import { readBlob, type StoredBytes } from '../files/read-blob.ts';

/** @throws {ScannerUnavailable | BlobMissing} */
export async function scanBlob(
  { blobs, scanner }: Pick<Context, 'blobs' | 'scanner'>,
  bytes: StoredBytes,
  signal: AbortSignal,
): Promise<ScanVerdict> {
  return scanner.scan(readBlob(blobs, bytes), signal);
}
