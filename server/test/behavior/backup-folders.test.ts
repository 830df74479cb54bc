/** A folder of backups is continued by one database: the service's, or a restored copy of it that comes first. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { days } from '../../src/lib/clock.ts';
import { writeFact } from '../../src/storage/db/service-facts.ts';
import { writeDeletions } from '../../src/operator/backup/deletions.ts';
import { findBackup } from '../../src/operator/backup/manifest.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { backUpInto, restoreFrom, secret } from '../harness/backups.ts';
import { newFolder } from '../harness/new-place.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

test('neither an empty, nor another service, nor one begun anew adds to the backups of a service', async () => {
  await using server = await startServer(secret);
  await uploadFile(server, await signUpAndIn(server));
  const root = await newFolder();
  const { manifest } = await backUpInto(root, server);
  await using other = await startServer(secret);
  await expect(backUpInto(root, other)).rejects.toThrow('This service has no accounts');
  await expect(writeDeletions(other.context, root)).rejects.toThrow('backups of another service');
  await using foreign = await startServer(secret);
  await signUpAndIn(foreign);
  await expect(backUpInto(root, foreign)).rejects.toThrow('backups of another service');
  // As if the database of the service were lost, and another one begun for its storage.
  const service = manifest.service ?? '';
  await writeFact(other.context.db, 'id', { value: service, at: 0 });
  await other.context.blobs.markService(service);
  await expect(backUpInto(root, other)).rejects.toThrow('This service has no accounts');
  await signUpAndIn(other);
  await expect(backUpInto(root, other)).rejects.toThrow('is of another database of this service');
  expect((await findBackup(root)).manifest).toEqual(manifest);
});

/** A service that was restored from the folder or the backup. */
async function restored(path: string) {
  const server = await startServer(secret);
  await restoreFrom(path, server);
  return server;
}

test('of a service and its restored copy, only the one that backs up first goes on in a folder', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const [root, other] = [await newFolder(), await newFolder()];
  await backUpInto(root, server);
  await backUpInto(other, server);
  const refused = async (folder: string, late: TestServer) => {
    await expect(backUpInto(folder, late)).rejects.toThrow('is of another database of this service');
    await expect(writeDeletions(late.context, folder)).rejects.toThrow('is of another database of this service');
  };
  await using first = await restored(root);
  await using second = await restored(other);
  await backUpInto(root, first);
  await writeDeletions(first.context, root);
  await backUpInto(root, first);
  await refused(root, server);
  await refused(root, second);
  server.clock.advance(days(1));
  await backUpInto(other, server);
  await refused(other, second);
  await refused(other, first);
  await backUpInto(join(await newFolder(), 'own'), second);
});

test('a restore, also of an earlier backup or without those of other folders, goes on in each folder', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const [root, weekly] = [await newFolder(), await newFolder()];
  const { path } = await backUpInto(root, server);
  await backUpInto(weekly, server);
  server.clock.advance(days(400));
  await backUpInto(root, server);
  await using second = await restored(root);
  await backUpInto(root, second);
  await using earlier = await restored(path);
  await backUpInto(root, earlier);
  await backUpInto(weekly, earlier);
  await using last = await restored(root);
  await backUpInto(weekly, last);
  await backUpInto(root, last);
});

test('backups from before databases had lives are continued by each copy', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const root = await newFolder();
  const { path } = await backUpInto(root, server);
  const manifest = join(path, 'manifest.json');
  const { life: _, ...without } = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, unknown>;
  await writeFile(manifest, JSON.stringify(without));
  await server.context.db.deleteFrom('service_facts').where('name', '=', 'lives').execute();
  await using second = await restored(root);
  await backUpInto(root, second);
  await expect(backUpInto(root, server)).rejects.toThrow('is of another database of this service');
});
