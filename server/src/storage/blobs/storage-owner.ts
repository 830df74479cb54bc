/** Which service a storage belongs to. Two services in one storage would delete each other's bytes as strays. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { readFact, writeFact } from '../db/service-facts.ts';
import { hours } from '../../lib/clock.ts';
import { OtherPlace } from '../db/moves.ts';
import { type BlobStore, BlobsUnavailable } from './blobs.ts';

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

const lookEvery = hours(1);

/**
 * Returns a store that writes only into the storage of its service. A server may start while its storage is away, so the
 * first write waits for a look at whose it is. Later writes look again every hour, and do not wait for that.
 */
export function writeOnlyToOwn(
  blobs: BlobStore,
  db: Database,
  { onOther, now = () => performance.now() }: { onOther: (error: OtherStorage) => void; now?: () => number },
): BlobStore {
  let isOwn = false;
  let lookAgainAt = 0;
  const look = async (): Promise<void> => {
    lookAgainAt = now() + lookEvery;
    try {
      await requireOwnStorage({ db, blobs });
      isOwn = true;
    } catch (error) {
      if (isOwn && error instanceof OtherStorage) {
        isOwn = false;
        onOther(error);
      }
      throw error;
    }
  };
  return {
    ...blobs,
    async write(...write) {
      if (!isOwn) await look();
      else if (now() > lookAgainAt) void look().catch(() => {});
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

/**
 * The mark of a storage names its service. While a service is moved into a storage, and after it was moved out of one, the
 * mark says so instead: the blobs there are not all blobs of the service.
 */
const movingIn = 'moving-in:';
const movedOut = 'moved-out:';

export interface ServiceMark {
  readonly is: 'own' | 'moving in' | 'moved out';
  readonly service: string;
}

/** Returns null if the storage belongs to no service yet. */
export async function readMark(blobs: Pick<BlobStore, 'serviceId'>): Promise<ServiceMark | null> {
  const mark = await blobs.serviceId();
  if (mark === null) return null;
  if (mark.startsWith(movingIn)) return { is: 'moving in', service: mark.slice(movingIn.length) };
  if (mark.startsWith(movedOut)) return { is: 'moved out', service: mark.slice(movedOut.length) };
  return { is: 'own', service: mark };
}

export const markMovingIn = (blobs: BlobStore, service: string): Promise<void> => blobs.markService(movingIn + service);

export const markMovedOut = (blobs: BlobStore, service: string): Promise<void> => blobs.markService(movedOut + service);

/** @throws {OtherPlace} when the bytes of the service were moved out of this storage, or are not all in it yet. */
export async function refuseUnfinishedStorage(blobs: BlobStore): Promise<void> {
  const mark = await readMark(blobs).catch((error: unknown) => {
    // A server starts while its storage is away.
    if (error instanceof BlobsUnavailable) return null;
    throw error;
  });
  if (mark?.is === 'moving in')
    throw new OtherPlace(
      "Files are being moved into this storage, and that has not finished: run 'holdfast move' again where it was " +
        'started, or set BLOBS_URL to another one.',
    );
  if (mark?.is === 'moved out')
    throw new OtherPlace(
      "The files of this service were moved out of this storage. Set BLOBS_URL as 'holdfast move' printed it.",
    );
}
