import { existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '@holdfast/server/src/config/config.ts';
import type { Environment } from '@holdfast/server/src/config/read-setting.ts';
import { readSettingsFile } from '@holdfast/server/src/config/settings-file.ts';
import { version as ownVersion } from '@holdfast/server/src/config/version.ts';
import { findBackup } from '@holdfast/server/src/operator/backup/manifest.ts';
import { Refused } from './explain.ts';
import type { Installed } from './installed-program.ts';
import { outputIn, type Owner, run } from './run-program.ts';
import { swapFolders } from './swap-folders.ts';
import { tryOnCopy } from './try-on-copy.ts';

const old = /\.old$/;

/**
 * Puts this program, which an update has replaced, in its place again, with the rows of the backup. A cut leaves one
 * version with a whole database, and can be repeated.
 */
export async function goBack(
  { folder, trial, owner }: Installed,
  { database }: Config,
  given: string,
  say: (step: string, text: string) => unknown,
) {
  if (!old.test(folder))
    throw new Refused(`Going back is up to the old program: run '${folder}.old/holdfast update --back ${given}'.`);
  const program = folder.replace(old, '');
  const { path: backup, root } = await findBackup(given);
  await say('try', `Trying ${ownVersion} on a copy of the backup.`);
  await tryOnCopy(folder, backup, trial, owner);
  await say('deletions', 'Listing what was closed and blocked since.');
  // The newer program may not work any more. Its database may be another one than that which is restored into.
  const { code } = await outputIn(program, ['backup', root, '--deletions'], owner, settingsOf(program));
  if (code !== 0) await say('deletions', 'It could not be listed: what was closed and blocked since is back.');
  await say('restore', 'Restoring the rows of the backup.');
  const aside =
    'path' in database
      ? await replaceDatabase(folder, backup, database.path, owner)
      : await restore(folder, backup, owner, {}, ': name an empty database in DATABASE_URL of its .env first');
  const newer = `${program}.newer`;
  await swapFolders(program, folder, newer);
  return { program, newer, backup, ...(aside && { database: aside }) };
}

function settingsOf(program: string): Environment {
  const path = join(program, '.env');
  return existsSync(path) ? readSettingsFile(path) : {};
}

/** The bytes stay in place. */
async function replaceDatabase(folder: string, backup: string, path: string, owner: Owner): Promise<string> {
  const restored = `${path}.restored`;
  const aside = `${path}.${new Date().toISOString().replaceAll(':', '-')}`;
  for (const end of ['', '-wal', '-shm', '-reserve']) await rm(restored + end, { force: true });
  await restore(folder, backup, owner, { DATABASE_URL: `sqlite:${restored}`, DATABASE_URL_FILE: '' });
  for (const each of [path, restored]) intoOneFile(each);
  await rm(`${restored}-reserve`, { force: true });
  // At no moment is there no database, which a start would create.
  await link(path, aside);
  await rename(restored, path);
  await run('sync', ['-f', path]);
  return aside;
}

/** SQLite would apply the log of one database to another one in its place. */
function intoOneFile(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = DELETE');
  database.close();
}

/** Bytes that were deleted since are named, and end the command with 1 after it has printed the result. */
async function restore(
  folder: string,
  backup: string,
  owner: Owner,
  settings: Readonly<Record<string, string>>,
  advice = '',
): Promise<undefined> {
  const { output } = await outputIn(folder, ['restore', backup, '--json'], owner, settings);
  if (output === '') throw new Refused(`The backup was not restored${advice}. The newer version can be started again.`);
}
