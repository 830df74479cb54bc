/** A disk without a free byte, on a small file system in memory. */
import { access, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder, newTestPlace } from '../../server/test/harness/new-place.ts';
import { addUploaders } from '../../server/test/harness/place.ts';
import { startService } from '../../server/test/harness/real-process.ts';
import { newDraft, uploadDraft } from '../load/kept-files.ts';
import { openRequests } from '../load/request.ts';
import { runCommand } from '../load/run-command.ts';
import { mountSmallDisk } from '../soak/small-disk.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const size = 200_000_000;
/** What is refused at once fits into the buffers of its connection. */
const refusedBytes = 100_000;

/** A service with ten files, and on SQLite with its reserve. */
async function prepare() {
  const path = join(await newFolder(), 'b#c?d%e');
  const disk = await mountSmallDisk(path, size);
  if (!disk) throw new Error('unreachable: root may mount');
  onTestFinished(() => disk[Symbol.asyncDispose]());
  const place = await newTestPlace(path);
  let service = await startService(place);
  onTestFinished(() => service.kill());
  const uploaders = await addUploaders(place, 10);
  const [first] = uploaders;
  if (!first) throw new Error('there is no account');
  const requests = openRequests(place.port);
  onTestFinished(() => requests[Symbol.dispose]());
  const upload = async (owner = first, bytes = 3_000_000) => {
    const sent = await uploadDraft(requests, newDraft(owner, bytes));
    return 'file' in sent ? sent.file.name : sent.status;
  };
  const kept = [];
  for (let at = 0; at < 10; at += 1) kept.push(await upload());
  const reserve = join(place.dataDir, 'holdfast.db-reserve');
  const hasReserve = () =>
    access(reserve).then(
      () => true,
      () => false,
    );
  const isSqlite = !('DATABASE_URL' in place.environment);
  if (isSqlite) await expect.poll(hasReserve, { timeout: 10_000 }).toBe(true);
  const filler = join(path, 'filler');
  return {
    place,
    reserve: isSqlite ? reserve : null,
    uploaders,
    kept,
    upload,
    fill: async () => {
      const ended = await writeFile(filler, Buffer.alloc(size)).catch((error: NodeJS.ErrnoException) => error.code);
      expect(ended).toBe('ENOSPC');
    },
    free: () => rm(filler),
    restart: async (meanwhile = async () => {}) => {
      await service.stop();
      await meanwhile();
      service = await startService(place);
    },
    stored: async () => (await readdir(join(place.dataDir, 'blobs'), { recursive: true })).length,
    download: async (name: unknown) => (await requests.send({ path: `/file/${String(name)}` })).status,
    remove: async (name: unknown) => {
      const { method, path: call } = endpoints.deleteFiles;
      const headers = { 'X-API-Key': first.apiKey, 'Content-Type': 'application/json' };
      return (
        await requests.send({ method, path: call, headers, body: Buffer.from(JSON.stringify({ files: [name] })) })
      ).status;
    },
  };
}

test.skipIf(!isRoot)('120 uploads to a full disk are 507 and leave nothing, and all else works', async () => {
  const { place, uploaders, kept, upload, fill, free, restart, stored, download, remove } = await prepare();
  await fill();
  const before = await stored();
  const refused = uploaders.flatMap((owner) => Array.from({ length: 12 }, () => upload(owner, refusedBytes)));
  expect(new Set(await Promise.all(refused))).toEqual(new Set([507]));
  expect(await stored()).toBe(before);
  expect(await remove(kept[0])).toBe(200);
  await restart();
  expect(await remove(kept[1])).toBe(200);
  for (const name of kept.slice(2)) expect(await download(name)).toBe(200);
  expect(await runCommand(place, ['fsck'])).toMatchObject({ code: 0 });
  expect(await runCommand(place, ['purge-now', '--yes'])).toMatchObject({ code: 0 });
  await free();
  await expect.poll(() => upload(), { timeout: 10_000 }).toEqual(expect.any(String));
});

test.skipIf(!isRoot)('a service that was stopped starts on a full disk', async () => {
  const { place, reserve, kept, upload, fill, free, restart, download, remove } = await prepare();
  await restart(async () => {
    await fill();
    expect(await runCommand(place, ['jobs', 'list'])).toMatchObject({ code: 0 });
    if (reserve === null) return;
    // It may be gone, because an earlier start gave it up.
    await free();
    await rm(reserve, { force: true });
    await fill();
    const said = expect.stringContaining('DATA_DIR cannot be used: its disk is full: delete something') as string;
    expect(await runCommand(place, ['jobs', 'list'])).toMatchObject({ code: 1, err: said });
    await free();
    await writeFile(reserve, Buffer.alloc(16 * 1024 * 1024));
    await fill();
  });
  expect([await download(kept[0]), await remove(kept[0]), await download(kept[0])]).toEqual([200, 200, 404]);
  await free();
  await expect.poll(() => upload(), { timeout: 10_000 }).toEqual(expect.any(String));
});
