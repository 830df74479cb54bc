/** Conditional requests, RFC 9110 section 13. */
import type { IncomingHttpHeaders } from 'node:http';
import { parseHttpDate } from './http-date.ts';

/** What tells one version of a representation from another. */
export interface Validators {
  /** Strong, in its quotes. */
  readonly etag: string;
  /** Milliseconds of a whole second: what a Last-Modified header can say. */
  readonly lastModified: number;
}

export type Verdict = 'send' | 'not-modified' | 'failed';

/** The order of RFC 9110 section 13.2.2: a tag outdoes a date, and what has to hold comes before what may be spared. */
export function judgeConditions(headers: IncomingHttpHeaders, current: Validators): Verdict {
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
 * Whether a Range header counts (section 13.1.5): without If-Range it does; else only for this very version. What is
 * stored under a name never changes, so an equal date is as strong as an equal tag.
 */
export function ifRangeHolds(headers: IncomingHttpHeaders, current: Validators): boolean {
  const ifRange = headers['if-range'];
  if (ifRange === undefined) return true;
  return ifRange === current.etag || parseHttpDate(String(ifRange)) === current.lastModified;
}

/** An invalid date is as good as none. */
function isNewerThan(header: string | undefined, { lastModified }: Validators): boolean {
  const date = parseHttpDate(header ?? '');
  return date !== null && lastModified > date;
}

const entityTag = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** `*` stands for anything that is there. A weak tag is never equal in the strong sense (section 8.8.3.2). */
function lists(header: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true;
  if (header === etag) return true;
  return [...header.matchAll(entityTag)].some(
    ([, weak, tag]) => tag === etag && (comparison === 'weak' || weak === undefined),
  );
}
