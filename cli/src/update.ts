import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { type Config, loadConfig } from '@holdfast/server/src/config/config.ts';
import { programFolder } from '@holdfast/server/src/config/settings-file.ts';
import { version as ownVersion } from '@holdfast/server/src/config/version.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { explain, Refused } from './explain.ts';
import { openOutput } from './output.ts';
import { requireNewer, verifyArchive } from './release-archive.ts';
import { type Owner, run, runIn } from './run-program.ts';
import { pathFromCaller } from './settings-folder.ts';
import { swapFolders } from './swap-folders.ts';
import { tryOnCopy } from './try-on-copy.ts';

interface Options {
  readonly backup: string;
  readonly sha256?: string;
}

export function addUpdate(program: Command): void {
  addCommand(program, 'update', {
    does: 'Replace this program by a newer release, after a backup and a trial on a copy of the database.',
    more:
      "Stop the server first, and start it afterwards. Run this as root, or as the owner of the program's folder. Whatever\n" +
      'happens, one version is there, whole, with its data. The old program stays beside the new one.',
    examples: [['update holdfast-1.1.0-linux-x64.tar.gz --backup /backup', 'checks it by the SHA256SUMS beside it']],
  })
    .argument('<archive>', 'the .tar.gz of a release')
    .requiredOption('--backup <folder>', 'where the backups are')
    .option('--sha256 <digest>', 'the digest of the archive, instead of SHA256SUMS beside it')
    .action(async (file: string, { backup: folder, sha256 }: Options, command: Command) => {
      const out = openOutput(command);
      const say = (step: string, text: string) => out.tell({ step }, text);
      const place = await placeOf(loadConfig());
      const archive = pathFromCaller(file);
      await verifyArchive(archive, sha256);
      const { version, backup } = await prepare(place, archive, pathFromCaller(folder), say);
      await say('install', `Installing ${version}.`);
      await swapFolders(place.program, place.next, place.previous);
      await migrate(place, version, backup);
      const { previous } = place;
      await out.tell(
        { step: 'done', version, previous, backup },
        `Version ${version} is in ${place.program}: start it. The old program is ${previous}, its data are in ${backup}.`,
      );
    });
}

type Place = Awaited<ReturnType<typeof placeOf>>;

/** @throws {Refused} if this program cannot be updated, or not now. */
async function placeOf(config: Config) {
  const program = resolve(programFolder);
  if (!existsSync(join(program, 'bin', 'node')))
    throw new Refused(`${program} is not from the archive of a release: docs/upgrading.md says how to update it.`);
  refuseDataIn(program, config);
  await refuseRunning(config);
  const { uid, gid } = await stat(config.dataDir);
  const owner: Owner = process.getuid?.() === 0 ? { uid, gid } : {};
  const trial = join(config.dataDir, 'update');
  return { program, next: `${program}.new`, previous: `${program}.old`, trial, owner };
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

/** Nothing that is in use changes. */
async function prepare(place: Place, archive: string, backups: string, say: (step: string, text: string) => unknown) {
  const { program, next, trial, owner } = place;
  await mkdir(next).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Refused(`${next} is there: another update runs, or was interrupted. Remove it, and try again.`);
  });
  try {
    await say('unpack', 'Unpacking the archive.');
    const version = await unpack(place, archive);
    await say('back up', 'Backing up the database.');
    const done = await runIn(program, ['backup', backups, '--no-bytes', '--json'], owner);
    const { folder: backup } = JSON.parse(done) as { readonly folder: string };
    await say('try', `Trying ${version} on a copy.`);
    await tryOnCopy(next, backup, trial, owner);
    return { version, backup };
  } catch (error) {
    await rm(next, { recursive: true, force: true });
    throw new Refused(`${explain(error)}\nNothing was changed: version ${ownVersion} can be started again.`);
  }
}

async function unpack({ program, next, owner }: Place, archive: string): Promise<string> {
  await chmod(next, (await stat(program)).mode & 0o777);
  await run('tar', ['-xzpf', archive, '-C', next, '--strip-components=1']);
  const version = (await runIn(next, ['--version'], owner)).trim();
  requireNewer(version, ownVersion);
  // Settings, and other files of the operator.
  const own = (await readdir(program)).filter((name) => name !== '.cache' && !existsSync(join(next, name)));
  for (const name of own) await run('cp', ['-a', join(program, name), next]);
  await run('sync', ['-f', next]);
  return version;
}

/** The start of the new version would do the same, but could not go back. */
async function migrate({ program, next, previous, owner }: Place, version: string, backup: string): Promise<void> {
  try {
    await runIn(program, ['migrate'], owner);
  } catch {
    const isUnchanged = await runIn(previous, ['stats'], owner).then(
      () => true,
      () => false,
    );
    if (!isUnchanged)
      throw new Refused(
        `Version ${version} is in ${program}, and its start goes on with the migration. To go back instead, restore ` +
          `${backup} with ${previous}, as docs/upgrading.md says.`,
      );
    await swapFolders(program, previous, next);
    await rm(next, { recursive: true });
    throw new Refused(`Version ${ownVersion} is back, and the database is as it was. Start it again.`);
  }
}
