import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, parseEnv } from 'node:util';
import { UnusableSetting } from './setting-errors.ts';

export const programFolder = fileURLToPath(new URL('../../..', import.meta.url));

const { values: given } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  options: { settings: { type: 'string' }, 'files-only': { type: 'boolean' } },
});

const chosen = typeof given['settings'] === 'string' ? resolve(given['settings']) : undefined;

export const isFilesOnly = given['files-only'] === true;

export const settingsArguments: readonly string[] = [
  ...(chosen === undefined ? [] : [`--settings=${chosen}`]),
  ...(isFilesOnly ? ['--files-only'] : []),
];

/** Never from the current folder, whose owner may want an operator's command to obey other settings. */
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

function refuseForeign(path: string, { uid, gid, mode }: Stats): void {
  const self = process.getuid?.();
  if (self === undefined) return;
  if (uid !== 0 && uid !== self)
    throw new UnusableSetting(path, new Error(`it belongs to user ${uid}, but must belong to root or to user ${self}`));
  if ((mode & 0o020) !== 0 && gid !== 0 && gid !== process.getgid?.())
    throw new UnusableSetting(path, new Error(`group ${gid} may write it`));
  if ((mode & 0o002) !== 0) throw new UnusableSetting(path, new Error('every user of this machine may write it'));
}
