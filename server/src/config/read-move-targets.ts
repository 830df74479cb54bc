import type { Config } from './config.ts';
import { readBlobs, readDatabase } from './read-engines.ts';

export interface MoveTarget<Engine> {
  readonly engine: Engine;
  /** The URL without its password, for messages and for notes that are kept. */
  readonly place: string;
}

export interface MoveTargets {
  readonly database: MoveTarget<Config['database']> | null;
  readonly blobs: MoveTarget<Config['blobs']> | null;
}

/**
 * Reads the places that `holdfast move` moves a service to, which will be its DATABASE_URL and BLOBS_URL. Null stays.
 * @throws {ConfigError}
 */
export function readMoveTargets(
  { toDatabase, toBlobs }: { readonly toDatabase?: string; readonly toBlobs?: string },
  { dataDir }: Pick<Config, 'dataDir'>,
): MoveTargets {
  return {
    database:
      toDatabase === undefined
        ? null
        : { engine: readDatabase(toDatabase, dataDir, '--to-database'), place: withoutPassword(toDatabase) },
    blobs:
      toBlobs === undefined
        ? null
        : { engine: readBlobs(toBlobs, dataDir, '--to-blobs'), place: withoutPassword(toBlobs) },
  };
}

/** A path has none. */
function withoutPassword(found: string): string {
  if (!/^\w+:\/\//.test(found) || !URL.canParse(found)) return found;
  const url = new URL(found);
  url.password = '';
  // Options of a connection may contain one too.
  if (url.protocol.startsWith('postgres')) url.searchParams.delete('password');
  return url.href;
}
