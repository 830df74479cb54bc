/** Uploads that resume, by tus 1.0 (https://tus.io/protocols/resumable-upload), with the creation, expiration, checksum and termination extensions. */
import type { Evicted } from './activity.ts';

export const tusVersion = '1.0.0';
export const tusPath = '/api/v3/tus';
export const tusContentType = 'application/offset+octet-stream';
export const tusExtensions = ['creation', 'creation-with-upload', 'expiration', 'checksum', 'termination'] as const;
export const checksumAlgorithms = ['sha256', 'sha1'] as const;

/** The public link, in the response that completes an upload and in each one to HEAD after it. */
export const linkHeader = 'Holdfast-Link';

/** What Continuous Uploading deleted for it, as JSON in ASCII, in the response that completes an upload. */
export const evictedHeader = 'Holdfast-Evicted';

/** Characters. Proxies limit headers, so names beyond it are left out; the total counts them. */
const mostEvicted = 2000;

export function evictedText(evicted: Evicted): string {
  const names = [...evicted.names];
  const text = () =>
    JSON.stringify({ ...evicted, names }).replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  while (text().length > mostEvicted && names.length > 0) names.pop();
  return text();
}

/** Of one account, at a time. */
export const mostUnfinishedUploads = 20;
/** Milliseconds after the last byte. */
export const unfinishedFor = 24 * 60 * 60 * 1000;
