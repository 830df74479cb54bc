/** The parent of workers loads only this part of the settings, and stays small. */
import { availableParallelism } from 'node:os';
import { type Kind, readSetting } from './read-setting.ts';
import { ConfigError } from './setting-errors.ts';
import { readSettingsFile } from './settings-file.ts';

const mostWorkers = 64;

export const workers: Kind<number | 'auto'> = {
  isPlain: true,
  accepted: `auto, or a number from 1 to ${mostWorkers}`,
  parse: (found) => {
    if (found === 'auto') return found;
    return /^[1-9]\d?$/.test(found) && Number(found) <= mostWorkers ? Number(found) : undefined;
  },
};

export function loadWorkers(): number | null {
  // The environment stays as it is, because the workers read the settings file themselves.
  const environment = { ...readSettingsFile(), ...process.env };
  const url = readSetting('DATABASE_URL', { accepted: '', parse: (found) => found }, environment);
  return workersFor(readSetting('WORKERS', workers, environment), url?.startsWith('postgres') ?? false);
}

/** On SQLite several processes would wait for each other's commits, and count limits apart. */
export function workersFor(asked: number | 'auto' | null, onPostgres: boolean): number | null {
  if (asked === 'auto') return onPostgres ? Math.min(availableParallelism(), mostWorkers) : 1;
  if (asked !== null && asked > 1 && !onPostgres)
    throw new ConfigError('WORKERS', String(asked), '1 or auto unless DATABASE_URL is that of PostgreSQL');
  return asked;
}

export interface WorkerRole {
  readonly number: number;
  readonly takesOver: boolean;
}

const variables = { number: 'HOLDFAST_WORKER', takesOver: 'HOLDFAST_TAKES_OVER' };

export const workerEnvironment = ({ number, takesOver }: WorkerRole) => ({
  [variables.number]: String(number),
  [variables.takesOver]: takesOver ? 'yes' : '',
});

export function workerRole(): WorkerRole | null {
  const number = Number(process.env[variables.number]);
  return number ? { number, takesOver: process.env[variables.takesOver] === 'yes' } : null;
}
