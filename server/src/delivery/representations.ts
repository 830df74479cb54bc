import { createLru } from '../lib/lru.ts';
import type { Representation } from './file-response.ts';
import { representationOf } from './file-headers.ts';
import type { PublicFile } from './look-up.ts';

/** About 10 MB. */
const mostFiles = 10_000;

interface Entry {
  readonly file: PublicFile;
  readonly what: Representation;
}

/**
 * Remembers the headers of files, which cost as much as the rest of a small download. Whether a file may be served is
 * never remembered: each request looks that up first, and what has changed since is computed anew.
 */
export function createRepresentations(most = mostFiles): (file: PublicFile) => Representation {
  const entries = createLru<string, Entry>(most);
  return (file) => {
    const known = entries.get(file.id);
    if (known && isSame(known.file, file)) return known.what;
    const what = representationOf(file);
    entries.set(file.id, { file, what });
    return what;
  };
}

/** Compares everything that `representationOf` reads. */
const isSame = (a: PublicFile, b: PublicFile): boolean =>
  a.sha256 === b.sha256 &&
  a.size === b.size &&
  a.originalName === b.originalName &&
  a.extension === b.extension &&
  a.uploadedAt === b.uploadedAt;
