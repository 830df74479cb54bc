import type { Context } from '../context.ts';
import type { BlobId, BlobStore } from '../engines/blobs/blobs.ts';
import type { Verdict } from '../engines/scanner/scanner.ts';

export interface StoredBytes {
  readonly blobId: BlobId;
  /** Bytes. */
  readonly size: number;
}

const chunkBytes = 256 * 1024;

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
  return scanner.scan(read(blobs, bytes), signal);
}

async function* read(blobs: BlobStore, { blobId, size }: StoredBytes): AsyncGenerator<Uint8Array> {
  if (size === 0) return;
  await using reader = await blobs.open(blobId, 0, size - 1);
  const buffer = Buffer.allocUnsafeSlow(Math.min(size, chunkBytes));
  for (let left = size; left > 0;) {
    const count = await reader.read(buffer);
    left -= count;
    yield buffer.subarray(0, count);
  }
}
