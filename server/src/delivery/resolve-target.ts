import type { Context } from '../context.ts';
import { createLookUp, type PublicFile } from './look-up.ts';

export interface Download {
  /** The bytes of the file, or its digest as text. */
  readonly kind: 'file' | 'digest';
  readonly file: PublicFile;
}

/**
 * Resolves `/file/{target}`, or returns null. `.sha256` after the name, or after name and extension, requests the
 * digest. A file whose own extension is `sha256` is returned itself, and its digest is at `.sha256.sha256`.
 */
export function createFinder(context: Pick<Context, 'db' | 'changes'>): (target: string) => Promise<Download | null> {
  const look = createLookUp(context);
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
