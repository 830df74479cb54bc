import type { FilesContext } from '../context.ts';
import { readFact } from '../engines/database/service-facts.ts';
import { OtherStorage, serviceIdFact } from '../engines/blobs/storage-owner.ts';

/**
 * Compares the id of the service in the database with the one in the storage, and writes neither.
 * @throws {OtherStorage}
 */
export async function checkFilesStorage({
  primary,
  replica,
  blobs,
}: Pick<FilesContext, 'primary' | 'replica' | 'blobs'>): Promise<void> {
  const own = await readFact(replica, serviceIdFact).catch(() => readFact(primary, serviceIdFact));
  const stored = await blobs.serviceId();
  if (own && stored !== null && stored !== own.value) throw new OtherStorage(stored, own.value);
}
