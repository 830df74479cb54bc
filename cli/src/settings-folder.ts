import { resolve } from 'node:path';
import { programFolder } from '@holdfast/server/src/config/settings-file.ts';

const startedIn = process.cwd();

/** Commands resolve the paths of the settings as the server does, which starts in the program's folder. */
export function enterProgramFolder(): void {
  process.chdir(programFolder);
}

/** Resolves a path from the command line against the folder in which the command was started. */
export function pathFromCaller(path: string): string {
  return resolve(startedIn, path);
}
