/** Files that other users of the machine can read. */
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFsck } from '../harness/run-fsck.ts';
import { startServer } from '../harness/start-server.ts';

test('fsck finds files that other users can read, and --repair closes them', async () => {
  await using server = await startServer();
  const { dataDir } = server;
  const { database } = server.context.config;
  const files = database.engine === 'sqlite' ? [database.path, `${database.path}-wal`] : [];
  const open = [dataDir, join(dataDir, 'secret.key'), ...files];
  expect(await runFsck(server)).toEqual([]);
  await chmod(dataDir, 0o755);
  for (const path of open.slice(1)) await chmod(path, 0o644);
  const findings = await runFsck(server);
  expect(findings.map(({ kind, subject }) => [kind, subject])).toEqual(
    open.map((path) => ['readable-by-others', path]),
  );

  expect((await runFsck(server, { repair: true })).map(({ repaired }) => repaired)).toEqual(open.map(() => true));
  expect(await modesOf(open)).toEqual(['700', ...open.slice(1).map(() => '600')]);
  expect(await runFsck(server)).toEqual([]);
});

const modesOf = (paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)));
