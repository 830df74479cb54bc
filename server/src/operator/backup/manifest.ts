import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { tablesIn } from './tables.ts';
import { digestOfFile } from './lines-file.ts';

const manifest = z.object({
  format: z.literal(1),
  /** Time of the database snapshot, in milliseconds since the epoch. */
  taken_at: z.int(),
  /** Newest migration of the database. */
  migration: z.string(),
  /** The id of the service, which its storage carries too; older backups, from before services had ids, have none. */
  service: z.optional(z.string()),
  tables: z.record(z.string(), z.object({ rows: z.int(), sha256: z.string() })),
  /** Number of blobs that the files need and their total size; `blobs.txt` lists them. */
  blobs: z.object({ count: z.int(), bytes: z.int() }),
});
export type Manifest = z.infer<typeof manifest>;

export const manifestFile = 'manifest.json';
export const blobListFile = 'blobs.txt';
export const secretFile = 'secret.key';
export const deletionsFile = 'deletions.jsonl.gz';
/** Name of a backup folder until it is complete. */
export const partOf = (folder: string): string => `${folder}.part`;
export const tableFile = (table: string): string => `${table}.jsonl.gz`;

/** A backup that cannot be used, with the reason in one sentence. */
export class UnusableBackup extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, { cause });
    this.name = 'UnusableBackup';
  }
}

/** @throws {UnusableBackup} */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestFile);
  try {
    return manifest.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new UnusableBackup(`${path} is not a backup manifest.`, error);
  }
}

/**
 * Verifies every byte before the backup is used.
 * @throws {UnusableBackup}
 */
export async function checkTables(folder: string, { tables, migration }: Manifest): Promise<void> {
  for (const { table } of tablesIn(migration, tables)) {
    const path = join(folder, tableFile(table));
    const found = await digestOfFile(path).catch((error: unknown) => {
      throw new UnusableBackup(`${path} cannot be read.`, error);
    });
    if (found !== tables[table]?.sha256)
      throw new UnusableBackup(`${path} is damaged: its digest differs from the manifest.`);
  }
}
