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
  const environment = { ...readSettingsFile(), ...process.env };
  const read = (variable: string) => readValueOrFile(variable, environment);
  return readWorkers(read('WORKERS'), read('DATABASE_URL'));
}

/** More than a machine has cores would only compete for them. */
const mostWorkers = 64;

/** On SQLite several processes would wait for each other's commits, and count limits apart. */
export function readWorkers(found: string | null, databaseUrl: string | null): number | null {
  if (found === null) return null;
  const most = databaseUrl?.startsWith('postgres') ? mostWorkers : 1;
  const workers = found === 'auto' ? Math.min(availableParallelism(), most) : Number(found);
  if (!/^(auto|\d{1,2})$/.test(found) || workers < 1 || workers > mostWorkers)
    throw new ConfigError('WORKERS', found, `auto, or a number from 1 to ${mostWorkers}`);
  if (workers > most) throw new ConfigError('WORKERS', found, '1 or auto unless DATABASE_URL is that of PostgreSQL');
  return workers;
}

/** One of several servers behind a parent. */
export interface WorkerRole {
  /** From 1. A worker that replaces another one has its number. */
  readonly number: number;
  /** Whether others serve, so that it has to be ready before it listens. */
  readonly takesOver: boolean;
}

/** Variables by which a parent tells a worker its role. */
const variables = { number: 'HOLDFAST_WORKER', takesOver: 'HOLDFAST_TAKES_OVER' };

export const workerEnvironment = ({ number, takesOver }: WorkerRole) => ({
  [variables.number]: String(number),
  [variables.takesOver]: takesOver ? 'yes' : '',
});

/** Returns the role of this process; null if it has no parent. */
export function workerRole(): WorkerRole | null {
  const number = Number(process.env[variables.number]);
  return number ? { number, takesOver: process.env[variables.takesOver] === 'yes' } : null;
}
