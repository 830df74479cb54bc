import type { IncomingHttpHeaders } from 'node:http';

export interface Validators {
  readonly etag: string;
  readonly lastModified: number;
}

/** In the order of RFC 9110 section 13.2.2. */
export function judgeConditions(headers: IncomingHttpHeaders, current: Validators): 'send' | 'not-modified' | 'failed' {
  const unmodifiedSince = parseHttpDate(headers['if-unmodified-since']);
  const holds =
    headers['if-match'] === undefined
      ? unmodifiedSince === null || current.lastModified <= unmodifiedSince
      : listsTag(headers['if-match'], current.etag, 'strong');
  if (!holds) return 'failed';
  const modifiedSince = parseHttpDate(headers['if-modified-since']);
  const isKnown =
    headers['if-none-match'] === undefined
      ? modifiedSince !== null && current.lastModified <= modifiedSince
      : listsTag(headers['if-none-match'], current.etag, 'weak');
  return isKnown ? 'not-modified' : 'send';
}

/** Section 13.1.5. The content of a name never changes, so an equal date is as strong as an equal tag. */
export function ifRangeHolds({ 'if-range': ifRange }: IncomingHttpHeaders, current: Validators): boolean {
  return ifRange === undefined || ifRange === current.etag || parseHttpDate(ifRange) === current.lastModified;
}

const entityTag = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** A weak tag never matches in the strong comparison (section 8.8.3.2). */
function listsTag(header: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*' || header === etag) return true;
  return [...header.matchAll(entityTag)].some(
    ([, weak, tag]) => tag === etag && (comparison === 'weak' || weak === undefined),
  );
}

/** Any format but the one of section 5.6.7 counts as missing. */
function parseHttpDate(text: unknown): number | null {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : null;
}
