import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Digest, openDigestWorkers } from './digest-workers.ts';
import { gather } from './gather.ts';
import { borrowRing, returnRing } from './slabs.ts';

const workers = openDigestWorkers(availableParallelism());

/**
 * Passes the bytes of `source` on in slabs and, before it ends, their SHA-256 to `onDigest`. While one slab is being
 * stored by whoever asked for it, a thread hashes it and the next one fills.
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
      // For a file of one slab a thread is not worth the trip.
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

/** A rejection that comes before somebody awaits it would end the process. */
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
