import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { readFact, writeFact } from '../engines/database/service-facts.ts';

type Parts = Pick<Context, 'db' | 'blobs'>;

/** The id that a database and its storage both carry. */
export const serviceIdFact = 'id';

/** The storage carries the id of another service than the database: its bytes are somebody else's. */
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
 * Compares the id in the database with the one in the storage, and writes it where there is none yet. A new database gets
 * an id of its own, so it never takes over a storage that belongs to another one.
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
 * Whether a backup of the service `wanted` may be restored into this storage: one that is that service's, or has none yet,
 * or holds no bytes. Null is a backup from before services had ids.
 * @throws {OtherStorage}
 */
export async function refuseOtherStorage({ blobs }: Pick<Context, 'blobs'>, wanted: string | null): Promise<void> {
  const stored = await blobs.serviceId();
  if (wanted === null || stored === null || stored === wanted) return;
  for await (const _ of blobs.list()) throw new OtherStorage(stored, wanted);
}

/** After a restore, the id of the backup is that of this service; one without an id takes over the storage's. */
export async function takeServiceId({ db, blobs }: Parts, wanted: string | null): Promise<void> {
  const id = wanted ?? (await blobs.serviceId()) ?? (await ownId(db));
  await writeFact(db, serviceIdFact, { value: id, at: Date.now() });
  await blobs.markService(id);
}
