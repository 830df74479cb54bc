import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Config } from '../config/config.ts';
import { type Clock, minutes } from '../lib/clock.ts';
import { type BlobId, BlobMissing, type BlobStore } from '../storage/blobs/blobs.ts';

export interface BlobCache {
  /** @throws {BlobMissing} when it is missing, or its size is not exactly `size` bytes. */
  get(id: BlobId, size: number, level: PlanLevel): Buffer | Promise<Buffer>;
  holds(id: BlobId): boolean;
}

/** The operating system's page cache serves larger blobs just as well. */
export const largestCached = 128 * 1024;
const capacity = 64 * 1024 * 1024;
/** The stored bytes may have been damaged or mended since. */
const longestKept = minutes(10);

interface Entry {
  readonly bytes: Buffer;
  readonly level: PlanLevel;
  readonly readAt: number;
  readonly hasStayed: boolean;
}

interface Parts {
  readonly config: Pick<Config, 'plans'>;
  readonly blobs: BlobStore;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Least recently used, but of each plan's files that are due, its priority's share stays for another round. */
export function createBlobCache({ config: { plans }, blobs, clock }: Parts, maxBytes = capacity): BlobCache {
  const entries = new Map<BlobId, Entry>();
  const reading = new Map<BlobId, Promise<Buffer>>();
  const credit = new Map<PlanLevel, number>();
  let held = 0;

  const find = (id: BlobId) => {
    const entry = entries.get(id);
    return entry && clock.monotonic() - entry.readAt < longestKept ? entry : undefined;
  };
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
    const readAt = clock.monotonic();
    const bytes = await readWhole(blobs, id, size);
    put(id, { bytes, level, readAt, hasStayed: false });
    return bytes;
  };
  return {
    get(id, size, level) {
      const entry = find(id);
      if (entry) {
        put(id, entry.level === level && !entry.hasStayed ? entry : { ...entry, level, hasStayed: false });
        return entry.bytes;
      }
      const started = reading.get(id) ?? read(id, size, level).finally(() => reading.delete(id));
      reading.set(id, started);
      return started;
    },
    holds: (id) => find(id) !== undefined,
  };
}

async function readWhole(blobs: BlobStore, id: BlobId, size: number): Promise<Buffer> {
  await using reader = await blobs.open(id, 0, size - 1);
  if (reader.size !== size) throw new BlobMissing(id);
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size;) at += await reader.read(bytes.subarray(at));
  return bytes;
}
