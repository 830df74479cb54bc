import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Problem } from './exit-code.ts';

export interface Found {
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

/** Files, all files in folders, and patterns that the shell has left. Each file once, in the given order. */
export async function findFiles(paths: readonly string[]): Promise<Found[]> {
  const found = new Map<string, Found>();
  for (const given of paths) {
    const files = await filesAt(given);
    if (files.length === 0) throw new Problem('notFound', `${given}: there is no such file.`);
    for (const path of files) found.set(path, { path, name: basename(path), size: (await stat(path)).size });
  }
  return [...found.values()];
}

/** The size of an upload must be known before, so what comes through a pipe is written to a file first. */
export async function keepInput(name: string): Promise<Found & { remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-cli-'));
  const path = join(folder, 'input');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    return { path, name, size: (await stat(path)).size, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

async function filesAt(given: string): Promise<string[]> {
  const at = await stat(given).catch(() => null);
  if (at?.isFile()) return [given];
  if (at?.isDirectory()) return filesBelow(given);
  const parts = given.split('/');
  const first = parts.findIndex((part) => /[*?]/.test(part));
  if (first === -1) return [];
  const folder = parts.slice(0, first).join('/') || (given.startsWith('/') ? '/' : '.');
  const pattern = patternOf(parts.slice(first).join('/'));
  const below = await filesBelow(folder).catch(() => []);
  return below.filter((path) => pattern.test(relative(folder, path).replaceAll('\\', '/')));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
}

const patternOf = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\*\*\/|\*\*|\*|\?/g, (mark) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' })[mark] ?? '[^/]')}$`,
  );
