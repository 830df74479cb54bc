/**
 * A process that writes the first half of a blob into the storage in the folder given, and waits until it is killed. It
 * is more than one slab, because a blob that fits into one has no file before its last byte has arrived.
 */
import { readerOf } from '../../lib/byte-reader.ts';
import { newBlobId } from './blob-id.ts';
import { openDiskBlobs } from './disk.ts';
import { slabBytes } from './slabs.ts';

const blobs = await openDiskBlobs(process.argv[2] ?? '', { sweepsItself: false });
async function* half() {
  yield Buffer.alloc(slabBytes + 1);
  console.log('half is written');
  await new Promise(() => setInterval(() => {}, 1_000));
}
await blobs.write(newBlobId(), readerOf(half()));
