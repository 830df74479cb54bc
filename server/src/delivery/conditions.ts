/** Conditional requests, RFC 9110 section 13. */
import type { IncomingHttpHeaders } from 'node:http';
import { parseHttpDate } from './http-date.ts';

/** Identifies one version of a representation. */
export interface Validators {
  /** A strong ETag, with its quotes. */
  readonly etag: string;
  /** In milliseconds, rounded to whole seconds as in a Last-Modified header. */
  readonly lastModified: number;
}

export type ConditionResult = 'send' | 'not-modified' | 'failed';

/**
 * Evaluates conditions in the order of RFC 9110 section 13.2.2: a tag takes precedence over a date, and preconditions
 * that must hold come before those that save a transfer.
 */
export function judgeConditions(headers: IncomingHttpHeaders, current: Validators): ConditionResult {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined) {
    if (!lists(ifMatch, current.etag, 'strong')) return 'failed';
  } else if (isNewerThan(headers['if-unmodified-since'], current)) return 'failed';
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return lists(ifNoneMatch, current.etag, 'weak') ? 'not-modified' : 'send';
  const since = parseHttpDate(headers['if-modified-since'] ?? '');
  return since !== null && current.lastModified <= since ? 'not-modified' : 'send';
}

/**
 * Returns whether a Range header applies (section 13.1.5): always without If-Range, otherwise only for this version.
 * The content of a name never changes, so an equal date is as strong as an equal tag.
 */
export function ifRangeHolds(headers: IncomingHttpHeaders, current: Validators): boolean {
  const ifRange = headers['if-range'];
  if (ifRange === undefined) return true;
  return ifRange === current.etag || parseHttpDate(String(ifRange)) === current.lastModified;
}

/** An invalid date counts as missing. */
function isNewerThan(header: string | undefined, { lastModified }: Validators): boolean {
  const date = parseHttpDate(header ?? '');
  return date !== null && lastModified > date;
}

const entityTag = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** `*` matches any existing representation. A weak tag never matches in the strong comparison (section 8.8.3.2). */
function lists(header: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true;
  if (header === etag) return true;
  return [...header.matchAll(entityTag)].some(
    ([, weak, tag]) => tag === etag && (comparison === 'weak' || weak === undefined),
  );
}
