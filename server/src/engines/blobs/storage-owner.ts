/** Which service a storage belongs to. Two services in one storage would delete each other's bytes as strays. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { readFact, writeFact } from '../database/service-facts.ts';
import { hours, seconds } from '../../lib/clock.ts';
import { type BlobStore, BlobsUnavailable } from './blobs.ts';
import { type ServiceMark, readMark } from './service-mark.ts';

interface Parts {
  readonly db: Database;
  readonly blobs: Pick<BlobStore, 'serviceId' | 'claimFor' | 'markService'>;
}

/** Name of the fact with the id that a database and its storage both carry. */
export const serviceIdFact = 'id';

/** The storage carries the id of a service other than the database: its bytes belong to another service. */
export class OtherStorage extends BlobsUnavailable {
  constructor(stored: string, own: string) {
    super(
      `The storage belongs to the service ${stored}, and the database to ${own}. Check DATABASE_URL and BLOBS_URL: ` +
        'nothing is deleted from a storage that belongs to another service, and nothing is written to it.',
    );
    this.name = 'OtherStorage';
  }
}

/**
 * Compares the id in the database with the one in the storage, and writes it where there is none yet. A new database
 * gets its own id, so it never takes over a storage that belongs to another service.
 * @throws {OtherStorage} also while all bytes of this service are elsewhere.
 */
export async function checkStorage(parts: Parts): Promise<void> {
  const own = await ownId(parts.db);
  const mark = await markFor(parts, own);
  if (mark.is !== 'own') throw new OtherStorage(`${mark.service}, which was moved`, own);
}

/** @throws {OtherStorage} unless the storage belongs to this service, also after a move or during one. */
export async function requireOwnStorage(parts: Parts): Promise<void> {
  await markFor(parts, await ownId(parts.db));
}

async function markFor({ blobs }: Parts, own: string): Promise<ServiceMark> {
  const mark = (await readMark(blobs)) ?? { is: 'own', service: await blobs.claimFor(own) };
  if (mark.service !== own) throw new OtherStorage(mark.service, own);
  return mark;
}

async function ownId(db: Database): Promise<string> {
  const found = await readFact(db, serviceIdFact);
  // While a service is moved, its database takes no changes.
  if (found) return found.value;
  await db
    .insertInto('service_facts')
    .values({ name: serviceIdFact, value: randomUUID(), at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readFact(db, serviceIdFact))?.value ?? '';
}

/** Time after the first look, in case that two services have claimed a storage at once, and after each later one. */
const secondLook = seconds(10);
const laterLooks = hours(1);

/**
 * Returns a store that writes only into the storage of its service. A server may start while its storage is away, so the
 * first write waits for a look at whose it is. Later writes look again now and then, and do not wait for that.
 */
export function writeOnlyToOwn(
  blobs: BlobStore,
  db: Database,
  {
    onOther,
    now = () => performance.now(),
  }: { readonly onOther: (error: OtherStorage) => void; readonly now?: () => number },
): BlobStore {
  let isOwn = false;
  let lookAgainAt = 0;
  let checking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      await requireOwnStorage({ db, blobs });
      lookAgainAt = now() + (isOwn ? laterLooks : secondLook);
      isOwn = true;
    } catch (error) {
      if (error instanceof OtherStorage) {
        if (isOwn) onOther(error);
        isOwn = false;
      }
      throw error;
    }
  };
  const check = (): Promise<void> => (checking ??= look().finally(() => (checking = null)));
  return {
    ...blobs,
    async write(...write) {
      if (!isOwn) await check();
      else if (now() > lookAgainAt) void check().catch(() => {});
      return blobs.write(...write);
    },
  };
}

/**
 * Refuses to restore a backup of the service `wanted` into this storage unless the storage belongs to that service, has
 * no id yet, or holds no bytes. Null is a backup from before services had ids.
 * @throws {OtherStorage}
 */
export async function refuseOtherStorage(blobs: BlobStore, wanted: string | null): Promise<void> {
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
