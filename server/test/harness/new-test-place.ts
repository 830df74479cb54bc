import { newFolder, newPlace } from './new-place.ts';
import { newTestBlobs } from './test-blobs.ts';
import { openPlace, type Place } from './place.ts';

/** A place on the database of this project of the run, deleted after the test. */
export async function newTestPlace(folder?: string): Promise<Place> {
  const { environment } = await newPlace();
  const databaseUrl = 'DATABASE_URL' in environment ? (environment.DATABASE_URL ?? null) : null;
  return openPlace(folder ?? (await newFolder()), databaseUrl, newTestBlobs());
}
