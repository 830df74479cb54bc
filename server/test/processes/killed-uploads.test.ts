/** Uploads in processes that are killed just before their commit leave bytes that no row knows. */
import { expect, test } from 'vitest';
import { hours } from '../../src/lib/clock.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { killUpload } from '../harness/kill-upload.ts';
import { startServer } from '../harness/start-server.ts';
import { download, sha256, uploadFile } from '../harness/uploads.ts';
import { ageBytes, storedNames } from '../harness/stored-bytes.ts';

/** More than the deletion limit permits. */
const kills = 12;

test('what twelve killed uploads left is deleted without an alarm', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'kept');
  const sizes = Array.from({ length: kills }, (_, at) => 1_000 + at);
  for (let from = 0; from < kills; from += 4)
    await Promise.all(sizes.slice(from, from + 4).map((bytes) => killUpload(server, ann, bytes)));
  expect(await storedNames(server)).toHaveLength(kills + 1);
  await ageBytes(server, hours(25));
  await server.context.db
    .updateTable('processes')
    .set((eb) => ({ seen_at: eb('seen_at', '-', hours(25)) }))
    .execute();
  expect(await server.runJob('sweep-strays')).toMatchObject({ strays: kills });
  server.clock.advance(hours(24));
  expect(await server.runJob('purge')).toMatchObject({ blobs: kills });
  expect(await storedNames(server)).toHaveLength(1);
  expect(await download(server, name)).toBe(sha256('kept'));
  expect(server.log.filter((line) => line.includes('ALARM'))).toEqual([]);
});
