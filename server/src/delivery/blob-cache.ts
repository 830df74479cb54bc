import type { PlanLevel, Plans } from '@holdfast/contract/src/plans.ts';
import { type BlobId, BlobMissing, type BlobStore } from '../storage/blobs/blobs.ts';

/** In-memory cache of whole small blobs. Callers look the file up first, so a deleted file is never requested here. */
export interface BlobCache {
  /**
   * Returns the bytes of a blob, from memory or read into it. Concurrent requests for one blob read it once.
   * @throws {BlobMissing} when it is missing, or its size is not exactly `size` bytes.
   */
  get(id: BlobId, size: number, level: PlanLevel): Buffer | Promise<Buffer>;
  holds(id: BlobId): boolean;
  forget(ids: Iterable<BlobId>): void;
  /** Cached bytes. */
  readonly held: number;
}

/** Larger blobs are read from the disk each time: the operating system's page cache serves them just as well. */
export const largestCached = 128 * 1024;
const capacity = 64 * 1024 * 1024;

interface Entry {
  readonly bytes: Buffer;
  readonly level: PlanLevel;
  /** It was due to be evicted, and has stayed for its plan. */
  readonly hasStayed: boolean;
}

/**
 * Evicts the least recently used. Of each plan's files that are due, as many in a hundred as its priority says stay for
 * another round: a Starter file is kept 10 % longer than a Free one on average, and one of Power 80 %.
 */
export function createBlobCache(plans: Plans, blobs: BlobStore, maxBytes = capacity): BlobCache {
  // A map iterates in the order of insertion, so its first entry was unused for longest.
  const entries = new Map<BlobId, Entry>();
  const reading = new Map<BlobId, Promise<Buffer>>();
  const credit = new Map<PlanLevel, number>();
  let held = 0;

  const remove = (id: BlobId) => {
    held -= entries.get(id)?.bytes.length ?? 0;
    entries.delete(id);
  };
  const stays = ({ level, hasStayed }: Entry) => {
    if (hasStayed) return false;
    const points = (credit.get(level) ?? 0) + plans[level].cachePriorityPercent;
    credit.set(level, points % 100);
    return points >= 100;
  };
  const put = (id: BlobId, entry: Entry) => {
    remove(id);
    entries.set(id, entry);
    held += entry.bytes.length;
    for (const [oldest, other] of entries) {
      if (held <= maxBytes) return;
      remove(oldest);
      if (!stays(other)) continue;
      entries.set(oldest, { ...other, hasStayed: true });
      held += other.bytes.length;
    }
  };
  const read = async (id: BlobId, size: number, level: PlanLevel) => {
    const bytes = await readWhole(blobs, id, size);
    // A blob that was evicted during the read must not be cached again.
    if (reading.has(id)) put(id, { bytes, level, hasStayed: false });
    return bytes;
  };
  return {
    get held() {
      return held;
    },
    get(id, size, level) {
      const bytes = entries.get(id)?.bytes;
      if (bytes) {
        put(id, { bytes, level, hasStayed: false });
        return bytes;
      }
      const known = reading.get(id);
      if (known) return known;
      const started = read(id, size, level);
      reading.set(id, started);
      return started.finally(() => reading.get(id) === started && reading.delete(id));
    },
    holds: (id) => entries.has(id),
    forget(ids) {
      for (const id of ids) {
        remove(id);
        reading.delete(id);
      }
    },
  };
}

async function readWhole(blobs: BlobStore, id: BlobId, size: number): Promise<Buffer> {
  await using reader = await blobs.open(id, 0, size - 1);
  if (reader.size !== size) throw new BlobMissing(id);
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size;) at += await reader.read(bytes.subarray(at));
  return bytes;
}
