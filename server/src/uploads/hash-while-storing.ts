import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Digest, openDigestWorkers } from './digest-workers.ts';
import { gather } from './gather-chunks.ts';
import { borrowRing, returnRing } from './slabs.ts';

const workers = openDigestWorkers(availableParallelism());

/**
 * Yields the bytes of `source` in slabs and, before it ends, passes their SHA-256 to `onDigest`. While the caller
 * stores one slab, a thread hashes it and the next slab fills.
 */
export async function* hashWhileStoring(
  source: AsyncIterable<Buffer>,
  onDigest: (sha256: string) => void,
): AsyncGenerator<Buffer> {
  const ring = borrowRing();
  const slabs = inTurn(ring.map((memory) => ({ memory, hashed: Promise.resolve<unknown>(null) })));
  const gathering = gather(source);
  const fillNext = async () => {
    const slab = slabs.next().value;
    await slab.hashed;
    return { slab, ...(await gathering.fill(slab.memory)) };
  };
  let digest: Digest | null = null;
  let filling = awaitedLater(fillNext());
  try {
    for (;;) {
      const { slab, bytes, last } = await filling;
      // For a file of one slab, the trip to a thread costs more than it saves.
      digest ??= last ? digestHere() : workers.start();
      slab.hashed = awaitedLater(digest.add(bytes));
      if (!last) filling = awaitedLater(fillNext());
      if (bytes.length > 0) yield bytes;
      if (last) return onDigest(await digest.result());
    }
  } finally {
    digest?.[Symbol.dispose]();
    gathering.stop();
    // The source may still be filling a slab when storing fails.
    void filling.catch(() => {}).then(() => returnRing(ring));
  }
}

function* inTurn<T>(items: readonly T[]): Generator<T, never> {
  for (;;) yield* items;
}

/** A promise that rejects before it is awaited would end the process. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

function digestHere(): Digest {
  const hash = createHash('sha256');
  return {
    add: async (bytes) => hash.update(bytes),
    result: async () => hash.digest('hex'),
    [Symbol.dispose]() {},
  };
}
