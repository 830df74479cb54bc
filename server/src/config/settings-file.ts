import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, parseEnv } from 'node:util';
import { UnusableSetting } from './setting-errors.ts';

export const programFolder = fileURLToPath(new URL('../../..', import.meta.url));

/** The options of this process that decide about its settings. The command line has checked all others. */
const { values: given } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  options: { 'env-file': { type: 'string' }, 'files-only': { type: 'boolean' } },
});

/**
 * The file named by `--env-file`, otherwise the `.env` of the program. It is never looked for in the current folder,
 * which may belong to somebody who wants an operator's command to obey other settings.
 */
const chosen = typeof given['env-file'] === 'string' ? resolve(given['env-file']) : undefined;

/** Whether this process was started with `--files-only`. */
export const isFilesOnly = given['files-only'] === true;

/** Arguments with which another process has the same settings, in whichever folder it starts. */
export const settingsArguments: readonly string[] = [
  ...(chosen === undefined ? [] : [`--env-file=${chosen}`]),
  ...(isFilesOnly ? ['--files-only'] : []),
];

/**
 * Returns the variables of the settings file; none if the program has no `.env`.
 * @throws {UnusableSetting} if the named file is missing, or another user could have written the file.
 */
export function readSettingsFile(named = chosen): Readonly<Record<string, string | undefined>> {
  const path = named ?? resolve(programFolder, '.env');
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UnusableSetting(path, error);
  }
  try {
    refuseForeign(path, fstatSync(file));
    return parseEnv(readFileSync(file, 'utf8'));
  } finally {
    closeSync(file);
  }
}

/** The settings name folders to delete in and servers to trust, so their author can do what this process can do. */
function refuseForeign(path: string, { uid, mode }: { readonly uid: number; readonly mode: number }): void {
  const self = process.getuid?.();
  if (self === undefined) return;
  if (uid !== 0 && uid !== self)
    throw new UnusableSetting(path, new Error(`it belongs to user ${uid}, but must belong to root or to user ${self}`));
  if ((mode & 0o002) !== 0) throw new UnusableSetting(path, new Error('every user of this machine may write it'));
}
