import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { tablesAt } from './tables.ts';
import { digestOfFile } from './lines-file.ts';

const manifest = z.object({
  format: z.literal(1),
  /** Milliseconds since the epoch: the backup is the database as it was at this moment. */
  taken_at: z.int(),
  /** The newest migration of the database. */
  migration: z.string(),
  /** The id of the service, which its storage carries too; backups from before there was one have none. */
  service: z.optional(z.string()),
  tables: z.record(z.string(), z.object({ rows: z.int(), sha256: z.string() })),
  /** How many stored bytes the files need, and how many blobs they are: `blobs.txt` lists them. */
  blobs: z.object({ count: z.int(), bytes: z.int() }),
});
export type Manifest = z.infer<typeof manifest>;

export const manifestFile = 'manifest.json';
export const blobListFile = 'blobs.txt';
export const secretFile = 'secret.key';
export const deletionsFile = 'deletions.jsonl.gz';
/** What a backup is called until it is whole. */
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
    throw new UnusableBackup(`${path} is no manifest of a backup.`, error);
  }
}

/**
 * Looks at every byte before anything is done with them.
 * @throws {UnusableBackup}
 */
export async function checkTables(folder: string, { tables, migration }: Manifest): Promise<void> {
  for (const { table } of tablesAt(migration)) {
    const path = join(folder, tableFile(table));
    const found = await digestOfFile(path).catch((error: unknown) => {
      throw new UnusableBackup(`${path} cannot be read.`, error);
    });
    if (found !== tables[table]?.sha256)
      throw new UnusableBackup(`${path} is damaged: it is not what the manifest says.`);
  }
}
