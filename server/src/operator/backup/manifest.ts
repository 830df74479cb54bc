import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { OperatorError } from '../../lib/operator-error.ts';

const manifest = z.object({
  format: z.literal(2),
  taken_at: z.int(),
  service: z.nullable(z.string()),
  /** The id of its database since it was begun or restored. */
  life: z.optional(z.string()),
  accounts: z.int(),
  /** SHA-256 of the copy. */
  database: z.string(),
  /** How many backups were made in this folder. Their order, whatever the clock said. */
  run: z.int(),
  /** How many of them had bytes. */
  with_bytes: z.optional(z.int()),
});
export type Manifest = z.infer<typeof manifest>;

/** In the folder of one backup. */
export const filesIn = (path: string) => ({
  database: join(path, 'database.db'),
  secret: join(path, 'secret.key'),
  manifest: join(path, 'manifest.json'),
});

/** All backups of a folder share it. */
export const blobFolder = (root: string) => join(root, 'blobs');

export interface Running {
  readonly signal: AbortSignal;
  readonly onRows: (rows: number) => void;
  readonly onBlobs: (blobs: number) => void;
}

export class UnusableBackup extends OperatorError {
  override readonly name = 'UnusableBackup';
}

export type FoundBackup = Awaited<ReturnType<typeof readBackup>>;

const isBackup = (name: string) => /^\d{4}-.*Z$/.test(name);

/** Oldest first. */
export async function findBackups(root: string): Promise<FoundBackup[]> {
  const names = await readdir(root).catch((error: unknown) => {
    throw new UnusableBackup(`The folder ${root} cannot be read.`, { cause: error });
  });
  const backups = await Promise.all(names.filter(isBackup).map((name) => readBackup(join(root, name))));
  return backups.toSorted((a, b) => a.manifest.run - b.manifest.run || a.path.localeCompare(b.path));
}

export async function findBackup(folder: string): Promise<FoundBackup> {
  if (isBackup(basename(folder))) return readBackup(folder);
  const newest = (await findBackups(folder)).at(-1);
  if (!newest) throw new UnusableBackup(`There is no backup in ${folder}.`);
  return newest;
}

async function readBackup(path: string) {
  const { manifest: file, ...files } = filesIn(path);
  try {
    return { root: dirname(path), path, ...files, manifest: manifest.parse(JSON.parse(await readFile(file, 'utf8'))) };
  } catch (error) {
    throw new UnusableBackup(`${file} is not a manifest of a backup.`, { cause: error });
  }
}

export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export async function writeSynced(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
}

export async function sync(path: string): Promise<void> {
  await using opened = await open(path);
  await opened.sync();
}
