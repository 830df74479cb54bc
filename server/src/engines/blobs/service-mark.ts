/**
 * The mark in a storage that names its service. While a service is moved into a storage, and after it was moved out of
 * one, the mark says so instead: the blobs there are not all blobs of the service.
 */
import { OtherPlace } from '../database/moves.ts';
import { type BlobStore, BlobsUnavailable } from './blobs.ts';

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
