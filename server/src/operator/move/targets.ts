import { sql } from 'kysely';
import type { BlobStore } from '../../storage/blobs/blobs.ts';
import { markMovingIn, readMark, serviceIdFact } from '../../storage/blobs/storage-owner.ts';
import type { Database } from '../../storage/db/database.ts';
import { readMove } from '../../storage/db/moves.ts';
import { readFact } from '../../storage/db/service-facts.ts';
import { movedTables } from './tables.ts';
import { UnusableMove } from './unusable-move.ts';

/** Where a service is moved to: null stays where it is. */
export interface Targets {
  readonly database: Target<Database> | null;
  readonly bytes: Target<BlobStore> | null;
}

export interface Target<Place> {
  readonly at: Place;
  /** Its URL without the password, for messages and notes. */
  readonly place: string;
}

export const placesIn = ({ database, bytes }: Targets) => ({
  database_to: database?.place ?? '',
  bytes_to: bytes?.place ?? '',
});

export interface Claim {
  /** Id of the service that is moved. */
  readonly service: string;
  readonly now: number;
  /** The copies were complete in an earlier run, so the targets may already be the place of the service. */
  readonly hasEnded: boolean;
}

/**
 * Takes the targets for a move: they are empty, or an earlier run of the same move has taken them. No server starts on
 * them before the move has ended. If one of them cannot be taken, none is.
 * @throws {UnusableMove}
 */
export async function claimTargets({ database, bytes }: Targets, claim: Claim): Promise<void> {
  const takeStorage = bytes && (await checkStorageTarget(bytes, claim));
  const takeDatabase = database && (await checkDatabaseTarget(database, claim));
  await takeStorage?.();
  await takeDatabase?.();
}

/** Takes a target that was found to be free; null if it is taken already. */
type Take = (() => Promise<void>) | null;

async function checkStorageTarget({ at, place }: Target<BlobStore>, { service, hasEnded }: Claim): Promise<Take> {
  const mark = await readMark(at);
  if (mark && mark.service !== service)
    throw new UnusableMove(`The storage ${place} belongs to another service. Name an empty one.`);
  if (mark?.is === 'moving in' || (mark?.is === 'own' && hasEnded)) return null;
  if (mark?.is === 'own')
    throw new UnusableMove(`The storage ${place} is already that of this service. Name an empty one.`);
  for await (const _ of at.list()) throw new UnusableMove(`The storage ${place} is not empty. Name an empty one.`);
  return () => markMovingIn(at, service);
}

async function checkDatabaseTarget({ at, place }: Target<Database>, { service, now, hasEnded }: Claim): Promise<Take> {
  const others = () =>
    new UnusableMove(`Another service is being moved into the database ${place}. Name an empty one.`);
  const own = (await readFact(at, serviceIdFact))?.value;
  const found = await readMove(at, 'in');
  if (found && found.service !== service) throw others();
  if (found?.stage === 'copying' || (hasEnded && own === service)) return null;
  if (own === service)
    throw new UnusableMove(`The database ${place} is already one of this service. Name an empty one.`);
  if (own !== undefined) throw new UnusableMove(`The database ${place} is that of another service. Name an empty one.`);
  const filled = await firstFilled(at);
  if (filled !== null)
    throw new UnusableMove(`The database ${place} is not empty: ${filled} has rows. Name an empty one.`);
  return async () => {
    await at
      .insertInto('moves')
      .values({ direction: 'in', stage: 'copying', stage_since: now, service })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if ((await readMove(at, 'in'))?.service !== service) throw others();
  };
}

/** Returns a table that has rows although only the migrations were run. */
async function firstFilled(db: Database): Promise<string | null> {
  for (const { table } of movedTables) {
    const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(db);
    if (rows.length > 0) return table;
  }
  return null;
}
