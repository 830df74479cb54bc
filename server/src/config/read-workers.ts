/** What the parent of workers reads of the settings. It stays small, so this file imports no other part of the reader. */
import { availableParallelism } from 'node:os';
import { readValueOrFile } from './read-value-or-file.ts';
import { ConfigError } from './setting-errors.ts';
import { readSettingsFile } from './settings-file.ts';

/**
 * Returns the number of workers that the settings ask for now; null if the process serves alone. The environment stays
 * as it is, because the workers read the settings file themselves.
 */
export function loadWorkers(): number | null {
  return readWorkers(readValueOrFile('WORKERS', { ...readSettingsFile(), ...process.env }));
}

/** More than a machine has cores would only compete for them. */
const mostWorkers = 64;

export function readWorkers(found: string | null): number | null {
  if (found === null) return null;
  const workers = found === 'auto' ? Math.min(availableParallelism(), mostWorkers) : Number(found);
  if (!/^(auto|\d{1,2})$/.test(found) || workers < 1 || workers > mostWorkers)
    throw new ConfigError('WORKERS', found, `auto, or a number from 1 to ${mostWorkers}`);
  return workers;
}

/** Variable by which a parent tells a worker its number. */
export const workerVariable = 'HOLDFAST_WORKER';

/** Returns the number of this worker; null if the process has no parent. */
export function workerNumber(): number | null {
  return Number(process.env[workerVariable]) || null;
}
