import type { Database } from '../engines/database/database.ts';
import { createLookUp, type PublicFile } from './look-up.ts';

export interface Download {
  /** The bytes of the file, or the text of its digest. */
  readonly kind: 'file' | 'digest';
  readonly file: PublicFile;
}

/**
 * What `/file/{target}` stands for, or null. `.sha256` after a name or after name and extension asks for the digest; a
 * file whose own extension is `sha256` is meant itself, and its digest is at `.sha256.sha256` (decisions section 4).
 */
export function createFinder(db: Database): (target: string) => Promise<Download | null> {
  const look = createLookUp(db);
  return async (target) => {
    const [, name, rest = ''] = /^([0-9A-Za-z]{4,64})((?:\.[0-9A-Za-z]{1,16}){0,2})$/.exec(target) ?? [];
    if (name === undefined) return null;
    const file = await look(name);
    if (!file) return null;
    const suffix = rest.toLowerCase();
    const own = file.extension === '' ? '' : `.${file.extension}`;
    if (suffix === '' || suffix === own) return { kind: 'file', file };
    return suffix === '.sha256' || suffix === `${own}.sha256` ? { kind: 'digest', file } : null;
  };
}
