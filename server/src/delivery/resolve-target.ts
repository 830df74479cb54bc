import type { LookUp, PublicFile } from './look-up.ts';

export interface Download {
  /** The bytes of the file, or one of its digests as text. */
  readonly kind: 'file' | DigestKind;
  readonly file: PublicFile;
}

const digestKinds = ['sha256', 'sha1'] as const;
type DigestKind = (typeof digestKinds)[number];

/**
 * Resolves `/file/{target}`, or returns null. `.sha256` or `.sha1` after the name, or after name and extension, requests
 * that digest. A file whose own extension is `sha256` is returned itself, and its digest is at `.sha256.sha256`.
 */
export function createFinder(look: LookUp): (target: string) => Promise<Download | null> {
  return async (target) => {
    const [, name, rest = ''] = /^([0-9A-Za-z]{4,64})((?:\.[0-9A-Za-z]{1,16}){0,2})$/.exec(target) ?? [];
    if (name === undefined) return null;
    const file = await look(name);
    if (!file) return null;
    const suffix = rest.toLowerCase();
    const own = file.extension === '' ? '' : `.${file.extension}`;
    if (suffix === '' || suffix === own) return { kind: 'file', file };
    const kind = digestKinds.find((each) => suffix === `.${each}` || suffix === `${own}.${each}`);
    return kind ? { kind, file } : null;
  };
}
