import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { holdfast, holdfastJson, startHoldfast } from '../harness/holdfast.ts';
import { newFolder, newPlace } from '../harness/new-place.ts';
import { startServer } from '../harness/start-server.ts';
import { onlyStored } from '../harness/stored-bytes.ts';
import { uploadFile } from '../harness/uploads.ts';

async function serveOnce(place: Awaited<ReturnType<typeof newPlace>>): Promise<number> {
  const { child, ended } = await startHoldfast(place, ['serve'], { PORT: '0' });
  await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill('SIGTERM');
  return (await ended).code;
}

test('the commands back up, restore elsewhere with the secret key, and say what is lost', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'kept');
  const folder = join(await newFolder(), 'backup');
  expect((await holdfast(server, 'backup', folder, '--deletions')).err).toMatch(/cannot be read\.\n$/);
  const [made] = await holdfastJson(server, 'backup', folder);
  expect(made).toMatchObject({ blobs: { copied: 1, kept: 0, missing: [], damaged: [] } });
  expect(await holdfastJson(server, 'backup', folder, '--deletions')).toMatchObject([{ deletions: 0 }]);

  const place = await newPlace();
  // A start before the restore made another key, and noted it.
  expect(await serveOnce(place)).toBe(0);
  const restored = await holdfast(place, 'restore', folder);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out).toContain('keys and passwords that were changed since work again');
  await access(join(place.dataDir, 'secret.key.before-restore'));
  expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0 });
  expect(await serveOnce(place)).toBe(0);
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${name}`)).text).toBe('kept');
  expect((await holdfastJson(place, 'audit')).map(({ action }) => action)).toContain('restore');

  await (await onlyStored(server)).remove();
  const again = await holdfast(server, 'backup', join(folder, '..', 'other'));
  expect(again.code).toBe(1);
  expect(again.err).toMatch(/^Not copied, missing: [0-9a-f]{32}\n$/);
  expect(again.out).toContain('Missing or damaged: 1');
});
