import { expect, test } from 'vitest';
import { openEarlySyncs } from './early-sync.ts';

const MiB = 1024 * 1024;

/** A file whose syncs end when the test says so. */
function fileToSync() {
  const syncs: PromiseWithResolvers<void>[] = [];
  return {
    syncs,
    datasync() {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
  };
}

test('a file is synced after every 16 MB, and once at a time', async () => {
  const file = fileToSync();
  const sync = openEarlySyncs()(file);
  sync.noteWritten(15 * MiB);
  expect(file.syncs).toHaveLength(0);
  sync.noteWritten(MiB);
  sync.noteWritten(30 * MiB);
  expect(file.syncs).toHaveLength(1);
  file.syncs[0]?.resolve();
  await sync.end();
  sync.noteWritten(MiB);
  expect(file.syncs).toHaveLength(2);
});

test('two files are synced at a time, so that a slow disk leaves threads to other calls', async () => {
  const start = openEarlySyncs();
  const files = [fileToSync(), fileToSync(), fileToSync()] as const;
  const [first, , third] = files.map(start);
  for (const sync of [first, third]) sync?.noteWritten(0);
  const noted = files.map(start);
  for (const sync of noted) sync.noteWritten(16 * MiB);
  expect(files.map(({ syncs }) => syncs.length)).toEqual([1, 1, 0]);
  files[0].syncs[0]?.resolve();
  await noted[0]?.end();
  noted[2]?.noteWritten(MiB);
  expect(files[2].syncs).toHaveLength(1);
});

test('a sync that fails fails every later call, and the file is never synced again', async () => {
  const file = fileToSync();
  await using sync = openEarlySyncs()(file);
  sync.noteWritten(16 * MiB);
  const broken = new Error('EIO');
  file.syncs[0]?.reject(broken);
  await expect(sync.end()).rejects.toBe(broken);
  expect(() => sync.noteWritten(16 * MiB)).toThrow(broken);
  expect(file.syncs).toHaveLength(1);
});

test('the end waits for a running sync', async () => {
  const file = fileToSync();
  const sync = openEarlySyncs()(file);
  sync.noteWritten(16 * MiB);
  let ended = false;
  const ending = sync.end().then(() => (ended = true));
  await new Promise(setImmediate);
  expect(ended).toBe(false);
  file.syncs[0]?.resolve();
  await ending;
});
