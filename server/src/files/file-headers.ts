/** The headers of public answers: what a browser may do with a stranger's bytes (decisions section 4). */
import type { Download } from './download.ts';

export const publicHeaders = {
  // Asked for again each time, so a deleted file is gone at once.
  'Cache-Control': 'public, no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
} as const;

export const digestHeaders = { ...publicHeaders, 'Content-Type': 'text/plain; charset=utf-8' } as const;

export function fileHeaders(file: Extract<Download, { kind: 'file' }>): Record<string, string> {
  return {
    ...publicHeaders,
    'Content-Type': file.contentType,
    'Content-Disposition': file.contentDisposition,
    ETag: `"${file.sha256}"`,
    'Repr-Digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
  };
}
