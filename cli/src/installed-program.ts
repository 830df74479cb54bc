import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import type { Config } from '@holdfast/server/src/config/config.ts';
import { programFolder } from '@holdfast/server/src/config/settings-file.ts';
import { Refused } from './explain.ts';
import type { Owner } from './run-program.ts';

export type Installed = Awaited<ReturnType<typeof installedProgram>>;

/** @throws {Refused} if this program cannot be replaced, or not now. */
export async function installedProgram(config: Config) {
  const folder = resolve(programFolder);
  if (!existsSync(join(folder, 'bin', 'node')))
    throw new Refused(`${folder} is not from the archive of a release: docs/upgrading.md says how to update it.`);
  refuseDataIn(folder, config);
  await refuseRunning(config);
  const { uid, gid } = await stat(config.dataDir);
  const owner: Owner = process.getuid?.() === 0 ? { uid, gid } : {};
  return { folder, trial: join(config.dataDir, 'update'), owner };
}

function refuseDataIn(program: string, { dataDir, database, blobs }: Config): void {
  const places = [dataDir, 'path' in database ? database.path : '/', 'folder' in blobs ? blobs.folder : '/'];
  const inside = places.find((path) => !/^\.\.(\/|$)/.test(relative(program, path)));
  if (inside !== undefined)
    throw new Refused(
      `${inside} is in the folder of the program, which an update replaces. Stop the server, move it elsewhere, and name ` +
        'its place in DATA_DIR.',
    );
}

async function refuseRunning({ host, port }: Config): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(port, host), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new Refused(`A server listens on port ${port}. Stop it first, as by 'systemctl stop holdfast'.`);
  } finally {
    probe.close();
  }
}
