import { shorten } from '@holdfast/contract/src/original-name.ts';
import { create as contentDisposition } from 'content-disposition';
import { createHash } from 'node:crypto';
import { mediaPolicy, publicPolicy } from '../http/response-headers.ts';
import { createLru } from '../lib/lru.ts';
import { type Presentation, presentationOf } from './content-types.ts';
import type { Representation } from './file-response.ts';
import type { PublicFile } from './look-up.ts';

const mostFiles = 10_000;

/** Making the headers costs as much as the rest of a small download. */
export function createRepresentations(): (file: PublicFile) => Representation {
  const entries = createLru<string, { readonly file: PublicFile; readonly what: Representation }>(mostFiles);
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

function representationOf(file: PublicFile): Representation {
  const { size, sha256, extension, uploadedAt } = file;
  const { contentType, disposition } = presentationOf(extension);
  const inBase64 = Buffer.from(sha256, 'hex').toString('base64');
  return {
    size,
    contentType,
    etag: `"${sha256}"`,
    lastModified: wholeSecond(uploadedAt),
    headers: ['Content-Disposition', dispositionOf(file, disposition), 'Repr-Digest', reprDigest(inBase64)],
    policy: /^(?:video|audio)\//.test(contentType) ? mediaPolicy : publicPolicy,
  };
}

/** RFC 6266. `filename` is for clients that cannot read `filename*`. */
function dispositionOf(file: PublicFile, type: Presentation['disposition']): string {
  // An earlier version kept longer ones.
  const originalName = shorten(file.originalName);
  const isAscii = /^[\x20-\x7e]*$/.test(originalName);
  return contentDisposition(originalName, isAscii ? { type } : { type, fallback: asciiNameOf(file) });
}

/** The name without accents, or that of the link, which is unique, if more than punctuation would be lost. */
function asciiNameOf({ originalName, name, extension }: PublicFile): string {
  const letters = originalName.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const kept = letters.match(/[0-9A-Za-z]/g)?.length ?? 0;
  if (kept <= extension.length || /[^\0-\x7f\p{P}\p{Z}]/u.test(letters))
    return extension === '' ? name : `${name}.${extension}`;
  return shorten(letters.replaceAll(/[^\x20-\x7e]|["%*/:<>?\\|]/gu, '_'));
}

export function digestRepresentationOf({ uploadedAt }: PublicFile, digest: string): Representation {
  const own = createHash('sha256').update(digest).digest();
  return {
    size: digest.length,
    contentType: 'text/plain; charset=utf-8',
    etag: `"${own.toString('hex')}"`,
    lastModified: wholeSecond(uploadedAt),
    headers: ['Repr-Digest', reprDigest(own.toString('base64'))],
    policy: publicPolicy,
  };
}

/** RFC 9530 section 3. */
const reprDigest = (sha256: string): string => `sha-256=:${sha256}:`;

const wholeSecond = (ms: number): number => ms - (ms % 1000);
