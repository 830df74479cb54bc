/** A backup while users upload and delete, and deleted bytes are purged at once, restores clean without a list. */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDeletionLimit } from '../../src/maintenance/deletion-limit.ts';
import { purgeDeleted } from '../../src/maintenance/jobs/purge.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { holdfast } from '../harness/holdfast.ts';
import { newFolder, newPlace } from '../harness/new-place.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

/** Five take a minute on each database, too long for every run. */
const rounds = process.env['LONG_DRILL'] === undefined ? 2 : 5;

interface Load {
  /** Files that were live when the backup began, and were deleted while it ran. */
  deleted: number;
  purged: number;
}

/** Deletes `old` one by one and uploads as many, purging as if each deletion were a day old, until `signal` aborts. */
async function load(server: TestServer, user: SignedIn, old: string[], signal: AbortSignal): Promise<Load> {
  const done: Load = { deleted: 0, purged: 0 };
  const purge = {
    ...server,
    dryRun: false,
    signal: new AbortController().signal,
    deletionLimit: createDeletionLimit(null),
  };
  const isWanted = () => !signal.aborted;
  const change = async () => {
    for (let name; isWanted() && (name = old.pop()) !== undefined; done.deleted += 1) {
      await user.byKey.deleteFiles({ body: { files: [name] } });
      await uploadFile(server, user, `instead of ${name}`);
    }
  };
  const purgeOften = async () => {
    for (; isWanted(); await nextTurn()) done.purged += (await purgeDeleted(purge, 0))['blobs'] ?? 0;
  };
  await Promise.all([change(), change(), purgeOften()]);
  return done;
}

test('backups under load restore clean without a list of deletions', { timeout: 300_000 }, async () => {
  await using server = await startServer();
  const user = await signUpAndIn(server, { plan: 'power' });
  const folder = await newFolder();
  const pool = join(folder, 'blobs');
  let deleted = 0;
  for (let round = 0; round < rounds; round += 1) {
    const old: string[] = [];
    for (let at = 0; at < 150; at += 1) old.push(await uploadFile(server, user, `${round}, ${at}`));
    const backup = join(folder, `round ${round}`);
    const ending = new AbortController();
    const running = load(server, user, old, ending.signal);
    const made = await holdfast(server, 'backup', backup, '--blobs', pool);
    ending.abort();
    deleted += (await running).deleted;
    expect(made).toMatchObject({ code: 0, err: '' });

    const place = await newPlace();
    expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
    expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0 });
  }
  expect(deleted).toBeGreaterThan(rounds);
});
