import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const programFolder = fileURLToPath(new URL('../..', import.meta.url));
const startedIn = process.cwd();

/**
 * Commands use the settings of the server, which starts in the program's folder and reads `.env` there. If the current
 * folder has its own `.env`, the command stays in it.
 */
export function enterSettingsFolder(): void {
  if (!existsSync('.env')) process.chdir(programFolder);
}

/** Resolves a path from the command line against the folder in which the command was started. */
export function pathFromCaller(path: string): string {
  return resolve(startedIn, path);
}
