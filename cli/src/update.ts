import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '@holdfast/server/src/config/config.ts';
import { version as ownVersion } from '@holdfast/server/src/config/version.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { explain, Refused, WrongUsage } from './explain.ts';
import { goBack } from './go-back.ts';
import { installedProgram, type Installed } from './installed-program.ts';
import { openOutput } from './output.ts';
import { newestVersion, requireNewer, verifyArchive } from './release-archive.ts';
import { type Owner, run, runIn } from './run-program.ts';
import { pathFromCaller } from './settings-folder.ts';
import { swapFolders } from './swap-folders.ts';
import { tryOnCopy } from './try-on-copy.ts';

interface Options {
  readonly backup?: string;
  readonly sha256?: string;
  readonly back?: string;
  readonly check?: string;
}

type Say = (step: string, text: string) => unknown;

export function addUpdate(program: Command): void {
  addCommand(program, 'update', {
    does: 'Replace this program by a newer release, after a backup and a trial on a copy of the database.',
    more:
      "Stop the server first, and start it afterwards. Run this as root, or as the owner of the program's folder. Whatever\n" +
      'happens, one version is there, whole, with its data. The old program stays beside the new one, and goes back.',
    examples: [
      ['update holdfast-1.1.0-linux-x64.tar.gz --backup /backup', 'checks it by the SHA256SUMS beside it'],
      ['update --back /backup/2026-11-21T03-17-00.000Z', 'run by the old program: puts it and its rows back'],
    ],
  })
    .argument('[archive]', 'the .tar.gz of a release')
    .option('--backup <folder>', 'where the backups are')
    .option('--sha256 <digest>', 'the digest of the archive, instead of SHA256SUMS beside it')
    .option('--back <backup>', 'go back to this program, and to the backup from before the update')
    .option('--check <url>', 'only compare this version with the SHA256SUMS at this address: 3 if it names a newer one')
    .action(async (archive: string | undefined, { backup, sha256, back, check }: Options, command: Command) => {
      const out = openOutput(command);
      if (check !== undefined) {
        const { newest, isNewer } = await newestVersion(check, ownVersion);
        const text = isNewer
          ? `Version ${newest} is there, and ${ownVersion} is installed.`
          : `Version ${ownVersion} is the newest.`;
        out.say({ version: ownVersion, newest, newer: isNewer }, text);
        process.exitCode = isNewer ? 3 : 0;
        return;
      }
      const say: Say = (step, text) => out.tell({ step }, text);
      const config = loadConfig();
      if (back !== undefined && archive === undefined) {
        const done = await goBack(await installedProgram(config), config, pathFromCaller(back), say);
        const kept = [done.newer, ...(done.database ? [done.database] : [])].join(' and ');
        const text = `Version ${ownVersion} is in ${done.program}, with the rows of ${done.backup}: start it. ${kept} can be removed.`;
        return out.tell({ step: 'done', version: ownVersion, ...done }, text);
      }
      if (archive === undefined || backup === undefined || back !== undefined)
        throw new WrongUsage('It needs an archive and --backup, or --back or --check alone.');
      const place = placeOf(await installedProgram(config));
      const path = pathFromCaller(archive);
      await verifyArchive(path, sha256);
      const done = await install(place, path, pathFromCaller(backup), say);
      await out.tell(
        { step: 'done', previous: place.previous, ...done },
        `Version ${done.version} is in ${place.program}: start it. To go back, stop it, and run\n` +
          `${place.previous}/holdfast update --back ${done.backup}`,
      );
    });
}

type Place = ReturnType<typeof placeOf>;

const placeOf = ({ folder: program, ...more }: Installed) => ({
  ...more,
  program,
  next: `${program}.new`,
  previous: `${program}.old`,
});

async function install(place: Place, archive: string, backups: string, say: Say) {
  const { version, backup } = await prepare(place, archive, backups, say);
  await say('install', `Installing ${version}.`);
  await swapFolders(place.program, place.next, place.previous);
  await migrate(place, version, backup);
  return { version, backup };
}

/** Nothing that is in use changes. */
async function prepare(place: Place, archive: string, backups: string, say: Say) {
  const { program, next, trial, owner } = place;
  await mkdir(next).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Refused(`${next} is there: another update runs, or was interrupted. Remove it, and try again.`);
  });
  try {
    await makeFolder(backups, owner);
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

/** The owner of the data, who writes the backups, may not create it. */
async function makeFolder(path: string, { uid, gid }: Owner): Promise<void> {
  if (uid === undefined || gid === undefined || existsSync(path)) return;
  await mkdir(path, { mode: 0o700 });
  await chown(path, uid, gid);
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
        `Version ${version} is in ${program}, and its start goes on with the migration. To go back instead, run\n` +
          `${previous}/holdfast update --back ${backup}`,
      );
    await swapFolders(program, previous, next);
    await rm(next, { recursive: true });
    throw new Refused(`Version ${ownVersion} is back, and the database is as it was. Start it again.`);
  }
}
