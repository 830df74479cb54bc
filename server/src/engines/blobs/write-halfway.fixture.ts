/** A process that writes the first half of a blob into the storage in the folder given, and waits until it is killed. */
import { readerOf } from '../../lib/byte-reader.ts';
import { newBlobId } from './blob-id.ts';
import { openDiskBlobs } from './disk.ts';

const blobs = await openDiskBlobs(process.argv[2] ?? '', { sweepsItself: false });
async function* half() {
  yield Buffer.from('half');
  console.log('half is written');
  await new Promise(() => setInterval(() => {}, 1_000));
}
await blobs.write(newBlobId(), readerOf(half()));
