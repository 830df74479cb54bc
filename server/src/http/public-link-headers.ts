import { anyOrigin } from './cors.ts';

const rules = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

/** Headers of every response at a public link: what a browser may do with a stranger's bytes. */
export const publicHeaders = {
  // Revalidated each time, so a deleted file disappears at once.
  'Cache-Control': 'public, no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': `${rules}; sandbox`,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  ...anyOrigin,
  'Access-Control-Expose-Headers':
    'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Repr-Digest, Retry-After',
} as const;

/** Alternating names and values. */
export const publicPolicy: readonly string[] = Object.entries(publicHeaders).flat();

/**
 * The same for video and audio. WebKit shows them in a page of its own whose player is a script, which a bare `sandbox`
 * blocks. `default-src 'none'` also applies to scripts: no script in the file, or named by it, ever runs.
 */
export const mediaPolicy: readonly string[] = Object.entries({
  ...publicHeaders,
  'Content-Security-Policy': `${rules}; sandbox allow-scripts`,
}).flat();
