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

/** Not while all bytes of this service are elsewhere. */
export async function checkStorage(parts: Parts): Promise<void> {
  const mark = await requireOwnStorage(parts);
  if (mark.is !== 'own') throw new OtherStorage(`${mark.service}, which was moved`, mark.service);
}

/** Also after a move or during one. */
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
  await db
    .insertInto('service_facts')
    .values({ name: serviceIdFact, value: randomUUID(), at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readFact(db, serviceIdFact))?.value ?? '';
}

/** A server may start while its storage is away, so the first write waits for a look at whose it is. */
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

const prefixes = { own: '', 'moving in': 'moving-in:', 'moved out': 'moved-out:' } as const;

export interface ServiceMark {
  readonly is: keyof typeof prefixes;
  readonly service: string;
}

export async function readMark(blobs: Pick<BlobStore, 'serviceId'>): Promise<ServiceMark | null> {
  const mark = await blobs.serviceId();
  if (mark === null) return null;
  const is = (['moving in', 'moved out'] as const).find((state) => mark.startsWith(prefixes[state])) ?? 'own';
  return { is, service: mark.slice(prefixes[is].length) };
}

export const markMovingIn = (blobs: BlobStore, service: string): Promise<void> =>
  blobs.markService(prefixes['moving in'] + service);

export const markMovedOut = (blobs: BlobStore, service: string): Promise<void> =>
  blobs.markService(prefixes['moved out'] + service);

export async function refuseUnfinishedStorage(blobs: BlobStore): Promise<void> {
  const mark = await readMark(blobs).catch((error: unknown) => {
    if (!(error instanceof BlobsUnavailable)) throw error;
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
