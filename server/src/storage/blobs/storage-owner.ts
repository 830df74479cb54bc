/** Two services in one storage would delete the bytes of each other as strays. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { OtherPlace } from '../db/moves.ts';
import { readFact, writeFact } from '../db/service-facts.ts';
import { type BlobStore, BlobsUnavailable } from './blobs.ts';

interface Parts {
  readonly db: Database;
  readonly blobs: Pick<BlobStore, 'serviceId' | 'claimFor' | 'markService'>;
}

export const serviceIdFact = 'id';

export class OtherStorage extends BlobsUnavailable {
  override name = 'OtherStorage';

  constructor(stored: string, own: string) {
    super(
      `The storage belongs to the service ${stored}, and the database to ${own}. Check DATABASE_URL and BLOBS_URL: ` +
        'nothing is deleted from a storage that belongs to another service, and nothing is written to it.',
    );
  }
}

/** @throws {OtherStorage} also while all bytes of this service are elsewhere. */
export async function checkStorage(parts: Parts): Promise<void> {
  const mark = await requireOwnStorage(parts);
  if (mark.is !== 'own') throw new OtherStorage(`${mark.service}, which was moved`, mark.service);
}

/** @throws {OtherStorage}, but not after a move or during one. */
export async function requireOwnStorage({ db, blobs }: Parts): Promise<ServiceMark> {
  const own = await ownId(db);
  const mark = (await readMark(blobs)) ?? { is: 'own', service: await blobs.claimFor(own) };
  if (mark.service !== own) throw new OtherStorage(mark.service, own);
  return mark;
}

async function ownId(db: Database): Promise<string> {
  const found = await readFact(db, serviceIdFact);
  // While a service is moved, its database takes no changes.
  if (found) return found.value;
  const values = { name: serviceIdFact, value: randomUUID(), at: Date.now() };
  await db
    .insertInto('service_facts')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readFact(db, serviceIdFact))?.value ?? '';
}

/** A server may start while its storage is away. */
export function writeOnlyToOwn(blobs: BlobStore, db: Database): BlobStore {
  let isOwn = false;
  return {
    ...blobs,
    async write(...write) {
      if (!isOwn) await requireOwnStorage({ db, blobs });
      isOwn = true;
      return blobs.write(...write);
    },
  };
}

/** An empty storage may be of any service. */
export async function refuseOtherStorage(blobs: BlobStore, wanted: string | null): Promise<void> {
  const stored = await blobs.serviceId();
  if (wanted === null || stored === null || stored === wanted) return;
  for await (const _ of blobs.list()) throw new OtherStorage(stored, wanted);
}

export async function takeServiceId({ db, blobs }: Parts, wanted: string | null): Promise<void> {
  const id = wanted ?? (await blobs.serviceId()) ?? (await ownId(db));
  await writeFact(db, serviceIdFact, { value: id, at: Date.now() });
  await blobs.markService(id);
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
