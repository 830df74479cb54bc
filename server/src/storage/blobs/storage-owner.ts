/** Two services in one storage would delete the bytes of each other as strays. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { OtherPlace } from '../db/moves.ts';
import { readFact, type ServiceFact, writeFact } from '../db/service-facts.ts';
import { type BlobId, type BlobStore, BlobsUnavailable, StorageReplaced, type WrittenBytes } from './blobs.ts';

interface Parts {
  readonly db: Database;
  readonly blobs: Pick<BlobStore, 'serviceId' | 'claimFor'>;
}

/** Its time is that at which the service marked a storage, or 0. */
export const serviceIdFact = 'id';

export class OtherStorage extends BlobsUnavailable {
  override name = 'OtherStorage';

  constructor(stored: string | null, own: string) {
    super(
      stored === null
        ? `The storage has no service-id, but the service ${own} has marked one. Is its disk mounted? If its bytes were ` +
            "copied here or are lost, run 'holdfast storage adopt'."
        : `The storage belongs to the service ${stored}, and the database to ${own}. Check DATABASE_URL and BLOBS_URL: ` +
            'nothing is deleted from a storage that belongs to another service, and nothing is written to it.',
    );
  }
}

/** @throws {OtherStorage} also while all bytes of this service are elsewhere. */
export async function checkStorage(parts: Parts): Promise<void> {
  const mark = await requireOwnStorage(parts);
  if (mark.is !== 'own') throw new OtherStorage(`${mark.service}, which was moved`, mark.service);
}

/**
 * Marks a storage for a service that has never had one.
 * @throws {OtherStorage}, but not after a move or during one.
 */
export async function requireOwnStorage({ db, blobs }: Parts): Promise<ServiceMark> {
  const own = await ownService(db);
  const mark = refuseOther((await readMark(blobs)) ?? (own.at === 0 ? await claim(blobs, own) : null), own);
  if (own.at === 0) await noteMarked(db, own);
  return mark;
}

export function refuseOther(mark: ServiceMark | null, own: ServiceFact): ServiceMark {
  if (mark?.service !== own.value) throw new OtherStorage(mark?.service ?? null, own.value);
  return mark;
}

const claim = async (blobs: Parts['blobs'], own: ServiceFact): Promise<ServiceMark> => ({
  is: 'own',
  service: await blobs.claimFor(own.value),
});

const noteMarked = (db: Database, { value }: ServiceFact) => writeFact(db, serviceIdFact, { value, at: Date.now() });

async function ownService(db: Database): Promise<ServiceFact> {
  const found = await readFact(db, serviceIdFact);
  // While a service is moved, its database takes no changes.
  if (found) return found;
  const values = { name: serviceIdFact, value: randomUUID(), at: 0 };
  await db
    .insertInto('service_facts')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readFact(db, serviceIdFact)) ?? values;
}

/** An operator says that a storage without a mark is that of this service. Returns whether it had none. */
export async function adoptStorage({ db, blobs }: Parts): Promise<boolean> {
  const isUnmarked = (await blobs.serviceId()) === null;
  if (isUnmarked) await blobs.claimFor((await ownService(db)).value);
  await requireOwnStorage({ db, blobs });
  return isUnmarked;
}

/** A server may start while its storage is away, and another one may be mounted in its place at any time. */
export function writeOnlyToOwn(blobs: BlobStore, db: Database): BlobStore {
  let seen: string | null = null;
  const isSame = () => seen !== null && blobs.markVersion() === seen;
  const look = async () => {
    seen = null;
    await blobs.serviceId();
    const version = blobs.markVersion();
    await requireOwnStorage({ db, blobs });
    seen = version;
  };
  /** Also if the bytes went to a storage that has been replaced since. */
  const requirePlaced = async (id: BlobId, { size }: WrittenBytes) => {
    if (isSame()) return;
    await look();
    if (!blobs.holds(id, size)) throw new StorageReplaced();
  };
  return {
    ...blobs,
    async write(id, ...write) {
      if (seen === null) await look();
      try {
        const written = await blobs.write(id, ...write);
        await requirePlaced(id, written);
        return written;
      } catch (error) {
        if (isSame()) throw error;
        await blobs.remove(id).catch(() => {});
        await look();
        throw error;
      }
    },
    async probe() {
      await blobs.serviceId();
      if (!isSame()) await look();
      await blobs.probe();
    },
  };
}

/** An empty storage may be of any service. */
export async function refuseOtherStorage(blobs: BlobStore, wanted: string | null): Promise<void> {
  const stored = await blobs.serviceId();
  if (wanted === null || stored === null || stored === wanted) return;
  for await (const _ of blobs.list()) throw new OtherStorage(stored, wanted);
}

/** After a restore, the database has the id of the backup, and the storage may have none or, if it is empty, another. */
export async function takeStorage({ db, blobs }: Parts & { readonly blobs: BlobStore }): Promise<void> {
  const own = await ownService(db);
  if (own.at > 0) return void (await requireOwnStorage({ db, blobs }));
  await refuseOtherStorage(blobs, own.value);
  await blobs.markService(own.value);
  await noteMarked(db, own);
}

/** Not all blobs are in a storage that a service is moved into, or was moved out of. */
export interface ServiceMark {
  readonly is: 'own' | 'moving-in' | 'moved-out';
  readonly service: string;
}

export async function readMark(blobs: Pick<BlobStore, 'serviceId'>): Promise<ServiceMark | null> {
  const mark = await blobs.serviceId();
  if (mark === null) return null;
  const is = (['moving-in', 'moved-out'] as const).find((state) => mark.startsWith(`${state}:`));
  return is ? { is, service: mark.slice(is.length + 1) } : { is: 'own', service: mark };
}

export const markAs = (blobs: BlobStore, { is, service }: ServiceMark): Promise<void> =>
  blobs.markService(is === 'own' ? service : `${is}:${service}`);

const unfinished = {
  'moving-in':
    "Files are being moved into this storage, and that has not finished: run 'holdfast move' again where it was " +
    'started, or set BLOBS_URL to another one.',
  'moved-out': "The files of this service were moved out of this storage. Set BLOBS_URL as 'holdfast move' printed it.",
};

export async function refuseUnfinishedStorage(blobs: BlobStore): Promise<void> {
  const mark = await readMark(blobs).catch((error: unknown) => {
    // A server starts nevertheless.
    if (!(error instanceof BlobsUnavailable)) throw error;
  });
  if (mark && mark.is !== 'own') throw new OtherPlace(unfinished[mark.is]);
}
