/** Bad sectors under each program that reads or removes stored bytes, by strace: one blob fails, and no other. */
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blobPath } from '../../server/src/storage/blobs/disk.ts';
import type { BlobId } from '../../server/src/storage/blobs/blobs.ts';
import { days } from '../../server/src/lib/clock.ts';
import { newFolder, newTestPlace } from '../../server/test/harness/new-place.ts';
import { addUploaders, type Place, withContext } from '../../server/test/harness/place.ts';
import { startService } from '../../server/test/harness/real-process.ts';
import { startClamdStandIn } from '../../server/test/stand-ins/clamd.ts';
import { newDraft, newSeed, uploadDraft } from '../load/kept-files.ts';
import { openRequests } from '../load/request.ts';
import { runCommand } from '../load/run-command.ts';
import { inject, strace } from '../load/strace.ts';

const reads = 'read,pread64,preadv';
const removals = 'unlink,unlinkat';
const count = 6;

const pathIn = (place: Place, id: BlobId) => join(place.dataDir, 'blobs', blobPath(id));

/** A stopped service with files, the middle one of which is to fail. */
async function prepare() {
  const place = await newTestPlace(join(await newFolder(), 'b#c?d%e'));
  const seeds = Array.from({ length: count }, newSeed);
  {
    await using _service = await startService(place);
    const [uploader] = await addUploaders(place, 1);
    if (!uploader) throw new Error('there is no account');
    using requests = openRequests(place.port);
    for (const seed of seeds) await uploadDraft(requests, newDraft(uploader, 50_000, seed));
  }
  const blobs = await withContext(place, ({ db }) => db.selectFrom('blobs').select('id').orderBy('id').execute());
  const ids = blobs.map(({ id }) => id);
  const bad = ids[2];
  if (ids.length !== count || bad === undefined) throw new Error('the files were not stored');
  return { place, ids, bad, path: pathIn(place, bad) };
}

const stored = async (place: Place) =>
  (await readdir(join(place.dataDir, 'blobs'), { recursive: true })).filter((name) => /[0-9a-f]{32}$/.test(name));

const unused = (place: Place) =>
  withContext(place, async ({ db }) => {
    await db.updateTable('files').set({ deleted_at: 1, deleted_because: 'owner' }).execute();
    await db.updateTable('accounts').set({ space_used: 0, slots_used: 0 }).execute();
    await db.updateTable('blobs').set({ used_by: 0, unused_since: 1 }).execute();
  });

test.skipIf(strace() !== null)('a backup and a restore name the bad blob, and copy all others', async () => {
  const { place, bad, ids, path } = await prepare();
  const root = join(await newFolder(), 'backup');
  const made = await runCommand(place, ['backup', root], { calls: reads, paths: [path] });
  expect(made).toMatchObject({ code: 1, err: `Not copied, damaged: ${bad}\n` });
  expect(made.out).toContain(`Blobs copied: ${count - 1};`);
  expect((await runCommand(place, ['backup', root])).out).toContain('Blobs copied: 1; there before: 5');

  const other = await newTestPlace();
  await runCommand(other, ['migrate']);
  const [, second = bad] = ids;
  const inPool = join(root, 'blobs', blobPath(second));
  const restored = await runCommand(other, ['restore', root], { calls: reads, paths: [inPool] });
  expect(restored).toMatchObject({ code: 1, err: `Not copied, damaged: ${second}\n` });
  expect(await stored(other)).toHaveLength(count - 1);
  expect(await runCommand(other, ['restore', root])).toMatchObject({ code: 0, err: '' });
  expect(await runCommand(other, ['fsck', '--scrub'])).toMatchObject({ code: 0 });
});

test.skipIf(strace() !== null)('a scrub names the bad blob, and what is wrong behind it', async () => {
  const { place, bad, ids, path } = await prepare();
  const last = ids.at(-1) ?? bad;
  await withContext(place, ({ blobs }) => blobs.remove(last));
  const { code, out } = await runCommand(place, ['fsck', '--scrub'], { calls: reads, paths: [path] });
  expect(code).toBe(1);
  expect(out).toMatch(new RegExp(`^bytes-unreadable: The bytes of blob ${bad} cannot be read: EIO.+`, 'm'));
  expect(out).toMatch(new RegExp(`^bytes-missing: The bytes of blob ${last} are missing.+`, 'm'));
  expect(out).toContain(`Checked ${count} blobs, 1 account: 2 findings.`);
});

test.skipIf(strace() !== null)(
  'a purge removes all but the bytes that cannot be unlinked, and those later',
  async () => {
    const { place, bad, path } = await prepare();
    await unused(place);
    const purged = await runCommand(place, ['purge-now', '--yes'], { calls: removals, paths: [path] });
    expect(purged.err).toContain(`blob ${bad} (EIO`);
    expect([purged.code, await stored(place)]).toEqual([1, [blobPath(bad)]]);
    await unused(place);
    expect(await runCommand(place, ['purge-now', '--yes'])).toMatchObject({ code: 0 });
    expect(await stored(place)).toEqual([]);
  },
);

test.skipIf(strace() !== null)('a sweep removes all but the strays that cannot be unlinked', async () => {
  const { place, bad, path, ids } = await prepare();
  await withContext(place, ({ db }) => db.deleteFrom('blobs').where('id', 'in', ids.slice(0, 3)).execute());
  const old = new Date(Date.now() - days(8));
  for (const id of ids) await utimes(pathIn(place, id), old, old);
  const swept = await runCommand(place, ['jobs', 'run', 'sweep-strays'], { calls: removals, paths: [path] });
  expect(swept.err).toContain(`blob ${bad} (EIO`);
  expect([swept.code, (await stored(place)).length]).toEqual([1, count - 2]);
});

test.skipIf(strace() !== null)('a rescan scans all others, and does not begin with the bad one again', async () => {
  const { place, bad, path } = await prepare();
  const clamd = await startClamdStandIn();
  onTestFinished(() => clamd[Symbol.asyncDispose]());
  await withContext(place, ({ db }) => db.updateTable('blobs').set({ scanned_at: 0 }).execute());
  const settings = { SCANNER_URL: `clamd://127.0.0.1:${clamd.port}` };
  const rescan = ['jobs', 'run', 'rescan'];
  const scanned = await runCommand(place, rescan, { calls: reads, paths: [path] }, settings);
  expect(scanned.err).toContain(`blob ${bad} (The bytes of blob ${bad} cannot be read: EIO`);
  expect(scanned.code).toBe(1);
  expect((await runCommand(place, rescan, null, settings)).out).toContain('0 scanned');
});

test.skipIf(strace() !== null)(
  'a server says so, and stores the same bytes again once they were moved aside',
  async () => {
    const { place, bad, path } = await prepare();
    await using service = await startService(place);
    using requests = openRequests(place.port);
    const file = await withContext(place, ({ db }) =>
      db.selectFrom('files').select('name').where('blob_id', '=', bad).executeTakeFirstOrThrow(),
    );
    {
      await using _injected = await inject(service.pid, { calls: reads, path, fault: 'error=EIO' });
      const { status } = await requests.send({ path: `/file/${file.name}` });
      expect(status).toBe(500);
      await runCommand(place, ['fsck', '--scrub', '--repair'], { calls: reads, paths: [path] });
    }
    expect(await stored(place)).not.toContain(blobPath(bad));
  },
);

test.skipIf(strace() !== null)('a folder that cannot be listed costs only itself', async () => {
  const { place, bad, ids } = await prepare();
  await writeFile(join(place.folder, 'marker'), '');
  const folder = join(place.dataDir, 'blobs', bad.slice(0, 2));
  const { code, out } = await runCommand(place, ['fsck'], { calls: 'getdents64', paths: [folder] });
  expect(code).toBe(1);
  expect(out).toContain(`The folder ${folder} cannot be read`);
  expect(out).toContain(`Checked ${ids.length} blobs`);
});
