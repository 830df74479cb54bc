import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readerOf } from '../../lib/byte-reader.ts';
import { BlobsUnavailable } from './blobs.ts';
import { openDigestThread } from './digest-in-thread.ts';

const digestsOf = (bytes: Buffer) => ({
  sha1: createHash('sha1').update(bytes).digest('hex'),
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

test('digests of many sources at once do not mix', async () => {
  await using thread = openDigestThread();
  const all = [0, 1, 1_048_576, 1_048_577, 3_500_000].map((size) => randomBytes(size));
  const found = await Promise.all(all.map((bytes) => thread.digestsOf(readerOf([bytes]), bytes.length)));
  expect(found).toEqual(all.map(digestsOf));
});

test('a source that fails fails its own call alone', async () => {
  await using thread = openDigestThread();
  let reads = 0;
  const failing = {
    async read(into: Uint8Array) {
      reads += 1;
      if (reads === 3) throw new Error('the disk is gone');
      return into.length;
    },
  };
  const bytes = randomBytes(2_000_000);
  const other = thread.digestsOf(readerOf([bytes]), bytes.length);
  await expect(thread.digestsOf(failing, 5_000_000)).rejects.toThrow('the disk is gone');
  expect(await other).toEqual(digestsOf(bytes));
});

test('when the thread dies its calls fail, and so does a call after the end', async () => {
  const program = new URL('data:text/javascript,process.exit(1)');
  const thread = openDigestThread(program);
  for (let turn = 0; turn < 2; turn += 1)
    await expect(thread.digestsOf(readerOf([Buffer.from('x')]), 1)).rejects.toThrow(BlobsUnavailable);
  await thread[Symbol.asyncDispose]();
});
