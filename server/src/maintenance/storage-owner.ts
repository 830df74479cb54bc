import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { readFact, writeFact } from '../engines/database/service-facts.ts';

type Parts = Pick<Context, 'db' | 'blobs'>;

/** Name of the fact with the id that a database and its storage both carry. */
export const serviceIdFact = 'id';

/** The storage carries the id of a service other than the database: its bytes belong to another service. */
export class OtherStorage extends Error {
  constructor(stored: string, own: string) {
    super(
      `The storage belongs to the service ${stored}, and the database to ${own}. Check DATABASE_URL and BLOBS_URL: ` +
        'nothing is deleted from a storage that belongs to another service.',
    );
    this.name = 'OtherStorage';
  }
}

/**
 * Compares the id in the database with the one in the storage, and writes it where there is none yet. A new database
 * gets its own id, so it never takes over a storage that belongs to another service.
 * @throws {OtherStorage}
 */
export async function checkStorage({ db, blobs }: Parts): Promise<void> {
  const own = await ownId(db);
  const stored = await blobs.serviceId();
  if (stored === null) await blobs.markService(own);
  else if (stored !== own) throw new OtherStorage(stored, own);
}

async function ownId(db: Context['db']): Promise<string> {
  await db
    .insertInto('service_facts')
    .values({ name: serviceIdFact, value: randomUUID(), at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readFact(db, serviceIdFact))?.value ?? '';
}

/**
 * Refuses to restore a backup of the service `wanted` into this storage unless the storage belongs to that service, has
 * no id yet, or holds no bytes. Null is a backup from before services had ids.
 * @throws {OtherStorage}
 */
export async function refuseOtherStorage({ blobs }: Pick<Context, 'blobs'>, wanted: string | null): Promise<void> {
  const stored = await blobs.serviceId();
  if (wanted === null || stored === null || stored === wanted) return;
  for await (const _ of blobs.list()) throw new OtherStorage(stored, wanted);
}

/** After a restore, this service takes the id of the backup; without one it takes the id of the storage. */
export async function takeServiceId({ db, blobs }: Parts, wanted: string | null): Promise<void> {
  const id = wanted ?? (await blobs.serviceId()) ?? (await ownId(db));
  await writeFact(db, serviceIdFact, { value: id, at: Date.now() });
  await blobs.markService(id);
}
