import { type BlobId, BlobsNotRemoved, type BlobStore, BlobUnreadable } from '../../src/storage/blobs/blobs.ts';

const refusal = () => Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });

/** From now on the storage fails at these blobs, as a disk with bad sectors does. Their sizes can be read. */
export function failAt(blobs: BlobStore, ...ids: readonly BlobId[]) {
  const before = { ...blobs };
  const failing = new Set(ids);
  const unreadable = (id: BlobId) => new BlobUnreadable(`The bytes of blob ${id}`, refusal());
  Object.assign(blobs, {
    async open(...[id, start, end]) {
      const reader = await before.open(id, start, end);
      return failing.has(id) ? { ...reader, read: () => Promise.reject(unreadable(id)) } : reader;
    },
    async replace(from, to) {
      await before.replace(from, to);
      failing.delete(to);
    },
    async remove(...all) {
      await before.remove(...all.filter((id) => !failing.has(id)));
      const failed = all.filter((id) => failing.has(id));
      if (failed.length > 0) throw new BlobsNotRemoved(new Map(failed.map((id) => [id, refusal()])));
    },
    async *list(after, onUnreadable) {
      if (failing.size > 0) onUnreadable?.(new BlobUnreadable('The folder ff', refusal()));
      yield* before.list(after);
    },
  } satisfies Partial<BlobStore>);
  return { mend: () => failing.clear() };
}
