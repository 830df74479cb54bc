import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../harness/children.ts';

export interface Piece {
  readonly name: string;
  /** Size in bytes at gzip's best compression. */
  readonly gzip: number;
}

const dist = join(root, 'web/dist');

/** Returns the build's scripts that are loaded on demand, largest first: those that the page does not reference. */
export async function lazyPieces(): Promise<readonly Piece[]> {
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  const names = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js') && !html.includes(name));
  const pieces = names.map(async (name) => ({
    name,
    gzip: gzipSync(await readFile(join(dist, 'assets', name)), { level: 9 }).length,
  }));
  return (await Promise.all(pieces)).toSorted((a, b) => b.gzip - a.gzip);
}
