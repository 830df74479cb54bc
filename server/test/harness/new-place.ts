import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { openPlace, type Place } from './place.ts';
import { newTestBlobs } from './test-blobs.ts';
import { createTestDatabase } from './test-database.ts';

/** A folder that is deleted after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-place-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A new place: a data folder, an empty database and an empty storage. */
export async function newPlace() {
  const dataDir = await newFolder();
  const database = await createTestDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const environment = {
    DATA_DIR: dataDir,
    ...(database.url !== null && { DATABASE_URL: database.url }),
    ...newTestBlobs(),
  };
  return { dataDir, environment, context: { config: readConfig(environment) } };
}

/** A place on the database of this project of the run, deleted after the test. */
export async function newTestPlace(folder?: string): Promise<Place> {
  const { environment } = await newPlace();
  const databaseUrl = 'DATABASE_URL' in environment ? (environment.DATABASE_URL ?? null) : null;
  return openPlace(folder ?? (await newFolder()), databaseUrl, newTestBlobs());
}
