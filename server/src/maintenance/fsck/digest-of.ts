import { createHash } from 'node:crypto';
import { BlobMissing, type BlobId } from '../../engines/blobs/blobs.ts';
import type { Inspection } from './inspection.ts';

const bufferBytes = 1024 * 1024;

/** The SHA-256 of the stored bytes, or null where they end too soon. */
export async function digestOf(
  { context: { blobs }, signal }: Pick<Inspection, 'context' | 'signal'>,
  id: BlobId,
  size: number,
): Promise<string | null> {
  const hash = createHash('sha256');
  const into = Buffer.alloc(Math.max(1, Math.min(bufferBytes, size)));
  try {
    await using reader = await blobs.open(id, 0, size - 1);
    for (let read; (read = await reader.read(into)) > 0;) {
      signal.throwIfAborted();
      hash.update(into.subarray(0, read));
    }
  } catch (error) {
    if (error instanceof BlobMissing) return null;
    throw error;
  }
  return hash.digest('hex');
}
