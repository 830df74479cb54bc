import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';

const manifest = z.object({
  format: z.literal(2),
  taken_at: z.int(),
  migration: z.string(),
  service: z.nullable(z.string()),
  accounts: z.int(),
  database: z.string(),
  /** How many backups were made in this folder. */
  run: z.int(),
});
export type Manifest = z.infer<typeof manifest>;

export const manifestFile = 'manifest.json';
export const databaseFile = 'database.db';
export const secretFile = 'secret.key';
export const blobFolder = 'blobs';

export class UnusableBackup extends Error {
  override readonly name = 'UnusableBackup';
}

export interface FoundBackup {
  readonly root: string;
  readonly path: string;
  readonly manifest: Manifest;
}

const isBackup = (name: string) => /^\d{4}-.*Z$/.test(name);

export async function findBackups(root: string): Promise<FoundBackup[]> {
  const names = await readdir(root).catch((error: unknown) => {
    throw new UnusableBackup(`The folder ${root} cannot be read.`, { cause: error });
  });
  return Promise.all(
    names
      .filter(isBackup)
      .toSorted()
      .map((name) => readBackup(join(root, name))),
  );
}

export async function findBackup(folder: string): Promise<FoundBackup> {
  if (isBackup(basename(folder))) return readBackup(folder);
  const newest = (await findBackups(folder)).at(-1);
  if (!newest) throw new UnusableBackup(`There is no backup in ${folder}.`);
  return newest;
}

async function readBackup(path: string): Promise<FoundBackup> {
  const file = join(path, manifestFile);
  try {
    return { root: dirname(path), path, manifest: manifest.parse(JSON.parse(await readFile(file, 'utf8'))) };
  } catch (error) {
    throw new UnusableBackup(`${file} is not a manifest of a backup.`, { cause: error });
  }
}

export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
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
