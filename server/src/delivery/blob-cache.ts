import { type PlanLevel, planLevels, type Plans } from '@holdfast/contract/src/plans.ts';
import { type BlobId, BlobMissing, type BlobStore } from '../engines/blobs/blobs.ts';

/** In-memory cache of whole small blobs. Callers look the file up first, so a deleted file is never requested here. */
export interface BlobCache {
  /**
   * Returns the bytes of a blob, from memory or read into it. Concurrent requests for one blob read it once.
   * @throws {BlobMissing} when it is missing, or its size is not exactly `size` bytes.
   */
  get(id: BlobId, size: number, level: PlanLevel): Buffer | Promise<Buffer>;
  /** Returns whether the blob is in memory now. */
  holds(id: BlobId): boolean;
  /** Evicts deleted blobs. */
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
  /** Position in the sequence of all requests, which is the cache's clock. */
  usedAt: number;
}

/**
 * Least recently used eviction, in which idle time counts less for a better plan: a Starter file is kept 10 % longer
 * than a Free one, up to 80 % for Power.
 */
export function createBlobCache(plans: Plans, blobs: BlobStore, maxBytes = capacity): BlobCache {
  // One map per plan: a map preserves insertion order, so its first entry is its oldest.
  const shelves = new Map(planLevels.map((level) => [level, new Map<BlobId, Entry>()]));
  const shelfOf = new Map<BlobId, Map<BlobId, Entry>>();
  const reading = new Map<BlobId, Promise<Buffer>>();
  let held = 0;
  let requests = 0;

  const isOverfull = () => held > maxBytes;
  const remove = (id: BlobId) => {
    const shelf = shelfOf.get(id);
    const entry = shelf?.get(id);
    if (!shelf || !entry) return;
    shelf.delete(id);
    shelfOf.delete(id);
    held -= entry.bytes.length;
  };
  const put = (id: BlobId, entry: Entry) => {
    remove(id);
    const shelf = shelves.get(entry.level);
    if (!shelf) return;
    shelf.set(id, entry);
    shelfOf.set(id, shelf);
    held += entry.bytes.length;
    while (isOverfull()) remove(nextToGo(plans, shelves, requests));
  };
  const read = async (id: BlobId, size: number, level: PlanLevel) => {
    const bytes = await readWhole(blobs, id, size);
    // A blob that was evicted during the read must not be cached again.
    if (reading.has(id)) put(id, { bytes, level, usedAt: requests });
    return bytes;
  };
  return {
    get held() {
      return held;
    },
    get(id, size, level) {
      requests += 1;
      const entry = shelfOf.get(id)?.get(id);
      if (entry) {
        put(id, { bytes: entry.bytes, level, usedAt: requests });
        return entry.bytes;
      }
      const known = reading.get(id);
      if (known) return known;
      const started = read(id, size, level);
      reading.set(id, started);
      return started.finally(() => reading.get(id) === started && reading.delete(id));
    },
    holds: (id) => shelfOf.has(id),
    forget(ids) {
      for (const id of ids) {
        remove(id);
        reading.delete(id);
      }
    },
  };
}

function nextToGo(plans: Plans, shelves: ReadonlyMap<PlanLevel, ReadonlyMap<BlobId, Entry>>, now: number): BlobId {
  const oldest = [...shelves.values()].flatMap((shelf) => {
    for (const first of shelf) return [first];
    return [];
  });
  const idleFor = ({ level, usedAt }: Entry) => (now - usedAt + 1) / (1 + plans[level].cachePriorityPercent / 100);
  const [[id]] = oldest.toSorted(([, a], [, b]) => idleFor(b) - idleFor(a)) as [[BlobId, Entry]];
  return id;
}

async function readWhole(blobs: BlobStore, id: BlobId, size: number): Promise<Buffer> {
  await using reader = await blobs.open(id, 0, size - 1);
  if (reader.size !== size) throw new BlobMissing(id);
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size;) at += await reader.read(bytes.subarray(at));
  return bytes;
}
