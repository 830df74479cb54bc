import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const programFolder = fileURLToPath(new URL('../..', import.meta.url));
const startedIn = process.cwd();

/**
 * The settings are those of the server, which starts in the program's folder and reads `.env` there. A folder with a
 * `.env` of its own keeps the command where it was started.
 */
export function enterSettingsFolder(): void {
  if (!existsSync('.env')) process.chdir(programFolder);
}

/** A path from the command line, as whoever typed it means it. */
export function pathFromCaller(path: string): string {
  return resolve(startedIn, path);
}
