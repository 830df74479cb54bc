import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../harness/children.ts';

export interface Piece {
  readonly name: string;
  /** Bytes at gzip's best. */
  readonly gzip: number;
}

const dist = join(root, 'web/dist');

/** The scripts of the build that are loaded when something needs them, largest first: those that the page does not name. */
export async function lazyPieces(): Promise<readonly Piece[]> {
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  const names = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js') && !html.includes(name));
  const pieces = names.map(async (name) => ({
    name,
    gzip: gzipSync(await readFile(join(dist, 'assets', name)), { level: 9 }).length,
  }));
  return (await Promise.all(pieces)).toSorted((a, b) => b.gzip - a.gzip);
}
