/** Representation metadata in public responses for a file. */
import { errorCatalog } from '@holdfast/contract/src/errors.ts';
import { create as contentDisposition } from 'content-disposition';
import { createHash } from 'node:crypto';
import { type FileResponse, type Representation, textResponse } from './file-response.ts';
import { anyOrigin } from '../http/cors.ts';
import { unavailableFor } from '../http/failures.ts';
import { mediaPolicy, publicPolicy } from '../http/public-link-headers.ts';
import { fileHostRobotsText } from '../http/robots.ts';
import { presentationOf } from './content-types.ts';
import type { PublicFile } from './look-up.ts';

export function representationOf(file: PublicFile): Representation {
  const { contentType, disposition } = presentationOf(file.extension);
  return {
    size: file.size,
    contentType,
    etag: `"${file.sha256}"`,
    lastModified: wholeSecond(file.uploadedAt),
    headers: [
      'Content-Disposition',
      contentDisposition(file.originalName, { type: disposition }),
      'Repr-Digest',
      reprDigest(Buffer.from(file.sha256, 'hex')),
    ],
    policy: isMedia(contentType) ? mediaPolicy : publicPolicy,
  };
}

const isMedia = (contentType: string): boolean => /^(?:video|audio)\//.test(contentType);

/** A digest of the file as a text representation, with its own validators. */
export function digestRepresentationOf({ uploadedAt }: PublicFile, digest: string): Representation {
  const own = createHash('sha256').update(digest).digest();
  return {
    size: digest.length,
    contentType: 'text/plain; charset=utf-8',
    etag: `"${own.toString('hex')}"`,
    lastModified: wholeSecond(uploadedAt),
    headers: ['Repr-Digest', reprDigest(own)],
    policy: publicPolicy,
  };
}

/** RFC 9530 section 3. */
const reprDigest = (sha256: Buffer): string => `sha-256=:${sha256.toString('base64')}:`;

const wholeSecond = (ms: number): number => ms - (ms % 1000);

export const noSuchFile = (method: string): FileResponse => textResponse(method, 404, 'There is no such file.');

export const tooManyMissed = (method: string, retryAfterSeconds: number): FileResponse => {
  const answer = textResponse(method, 429, 'Too many links that do not exist. Slow down and try again.');
  return { ...answer, headers: [...answer.headers, 'Retry-After', String(retryAfterSeconds)] };
};

/** A file that could not be scanned yet is not served. Retry-After is roughly when the next attempt is done. */
export const beingChecked = (method: string): FileResponse =>
  tryLater(method, 'This file is being checked for malware. Try again in a moment.', 15);

/** The SHA-1 of a file is computed when it is first asked for, which takes long for a large file or behind others. */
export const beingHashed = (method: string): FileResponse =>
  tryLater(method, 'The SHA-1 of this file is being computed. Try again in a moment.', 10);

/** The database is away, and this process has not resolved the link lately, or the bytes cannot be read now. */
export const serviceUnavailable = (method: string): FileResponse =>
  tryLater(method, errorCatalog.UNAVAILABLE.message, unavailableFor);

function tryLater(method: string, sentence: string, seconds: number): FileResponse {
  const answer = textResponse(method, 503, sentence);
  return { ...answer, headers: [...answer.headers, 'Retry-After', String(seconds)] };
}

export const noCrawlers = (method: string): FileResponse => textResponse(method, 200, fileHostRobotsText.trimEnd());

export const scriptUseRefused = (method: string): FileResponse =>
  textResponse(method, 403, 'Files cannot be used as scripts of this site.');

/** Any site's script may fetch a public link, including ranges. */
export const publicPreflight = {
  ...anyOrigin,
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Range, If-Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since',
  'Access-Control-Max-Age': '86400',
  Allow: 'GET, HEAD, OPTIONS',
} as const;
