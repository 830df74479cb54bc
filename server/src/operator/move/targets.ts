import { sql } from 'kysely';
import type { BlobStore } from '../../storage/blobs/blobs.ts';
import { markAs, readMark, serviceIdFact } from '../../storage/blobs/storage-owner.ts';
import type { Database } from '../../storage/db/database.ts';
import { readMove } from '../../storage/db/moves.ts';
import { readFact } from '../../storage/db/service-facts.ts';
import { movedTables } from '../backup/copy-rows.ts';
import { OperatorError } from '../../lib/operator-error.ts';

export class UnusableMove extends OperatorError {
  override readonly name = 'UnusableMove';
}

export interface Targets {
  readonly database: Target<Database> | null;
  readonly bytes: Target<BlobStore> | null;
}

interface Target<Place> {
  readonly at: Place;
  /** Its URL without the password. */
  readonly place: string;
}

interface Claim {
  readonly service: string;
  readonly now: number;
  /** Then the targets may already be the place of the service. */
  readonly hasEnded: boolean;
}

/** The targets are empty, or an earlier run of the same move has taken them. If one cannot be taken, none is. */
export async function claimTargets({ database, bytes }: Targets, claim: Claim): Promise<void> {
  const { service, now } = claim;
  const isNewStorage = bytes !== null && (await isFreeStorage(bytes, claim));
  const isNewDatabase = database !== null && (await isFreeDatabase(database, claim));
  if (isNewStorage) await markAs(bytes.at, { is: 'moving-in', service });
  if (!isNewDatabase) return;
  await database.at
    .insertInto('moves')
    .values({ direction: 'in', stage: 'copying', stage_since: now, service })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if ((await readMove(database.at, 'in'))?.service !== service) throw refuse('database', database, takenByAnother);
}

const takenByAnother = 'takes in another service';

const refuse = (what: string, { place }: Pick<Target<unknown>, 'place'>, why: string) =>
  new UnusableMove(`The ${what} ${place} ${why}. Name an empty one.`);

/** Returns false if it is taken already. */
async function isFreeStorage(bytes: Target<BlobStore>, { service, hasEnded }: Claim): Promise<boolean> {
  const mark = await readMark(bytes.at);
  if (mark && mark.service !== service) throw refuse('storage', bytes, 'belongs to another service');
  if (mark?.is === 'moving-in' || (mark?.is === 'own' && hasEnded)) return false;
  if (mark?.is === 'own') throw refuse('storage', bytes, 'is already that of this service');
  for await (const _ of bytes.at.list()) throw refuse('storage', bytes, 'is not empty');
  return true;
}

/** Returns false if it is taken already. */
async function isFreeDatabase(database: Target<Database>, { service, hasEnded }: Claim): Promise<boolean> {
  const own = (await readFact(database.at, serviceIdFact))?.value;
  const found = await readMove(database.at, 'in');
  if (found && found.service !== service) throw refuse('database', database, takenByAnother);
  if (found?.stage === 'copying' || (hasEnded && own === service)) return false;
  if (own !== undefined)
    throw refuse(
      'database',
      database,
      own === service ? 'is already one of this service' : 'is that of another service',
    );
  for (const table of Object.keys(movedTables)) {
    const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(database.at);
    if (rows.length > 0) throw refuse('database', database, `is not empty: ${table} has rows`);
  }
  return true;
}
