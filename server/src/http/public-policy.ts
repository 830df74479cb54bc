import type { HeaderList } from './file-answer.ts';

/** What every answer at a public link carries: what a browser may do with a stranger's bytes (decisions section 4). */
export const publicHeaders = {
  // Asked for again each time, so a deleted file is gone at once.
  'Cache-Control': 'public, no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Repr-Digest, Retry-After',
} as const;

export const publicPolicy: HeaderList = Object.entries(publicHeaders).flat();
