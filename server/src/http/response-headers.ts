import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import type { Endpoint } from '@holdfast/contract/src/endpoints.ts';
import {
  checksumAlgorithms,
  evictedHeader,
  linkHeader,
  tusExtensions,
  tusPath,
  tusVersion,
} from '@holdfast/contract/src/resumable.ts';
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Config } from '../config/config.ts';

export const apiHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** For what browsers request without a cookie, so scripts of every site may (Fetch standard, CORS). */
export const anyOrigin = { 'Access-Control-Allow-Origin': '*' } as const;

const keyCallHeaders = {
  ...apiHeaders,
  ...anyOrigin,
  'Access-Control-Expose-Headers': 'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

const isOfTus = ({ path }: Endpoint) => path.startsWith(tusPath);

const tusHeaders = {
  ...keyCallHeaders,
  'Tus-Resumable': tusVersion,
  'Access-Control-Expose-Headers': [
    keyCallHeaders['Access-Control-Expose-Headers'],
    'Location, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Checksum-Algorithm',
    `Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, ${linkHeader}, ${evictedHeader}`,
  ].join(', '),
} as const;

export function headersFor(endpoint: Endpoint): Readonly<Record<string, string>> {
  if (isOfTus(endpoint)) return tusHeaders;
  return endpoint.access === 'account' ? keyCallHeaders : apiHeaders;
}

/** For all endpoints of one path. */
export const preflightHeaders = (all: readonly Endpoint[]) => ({
  ...apiHeaders,
  ...anyOrigin,
  // HEAD needs no permission: scripts may always send it (Fetch, 2.2.1).
  'Access-Control-Allow-Methods': all.map(({ method }) => method).join(', '),
  'Access-Control-Allow-Headers': [
    'X-API-Key',
    'Authorization',
    'Content-Type',
    ...(all.some((each) => each.bodyType && !isOfTus(each)) ? [uploadKeyHeader] : []),
    ...(all.some(isOfTus) ? tusRequestHeaders : []),
  ].join(', '),
  'Access-Control-Max-Age': '86400',
  Allow: [...all.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', '),
  ...(all.some(isOfTus) && {
    'Tus-Resumable': tusVersion,
    'Tus-Version': tusVersion,
    'Tus-Extension': tusExtensions.join(','),
    'Tus-Checksum-Algorithm': checksumAlgorithms.join(','),
  }),
});

const tusRequestHeaders = ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset', 'Upload-Checksum'];

const rules = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

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

export const publicPolicy: readonly string[] = Object.entries(publicHeaders).flat();

/** The player of WebKit is a script, which a bare `sandbox` blocks. No script in the file ever runs. */
export const mediaPolicy: readonly string[] = Object.entries({
  ...publicHeaders,
  'Content-Security-Policy': `${rules}; sandbox allow-scripts`,
}).flat();

export function guardHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    // Other sites of the operator may lack HTTPS.
    ...(publicUrl?.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Some responses never pass the hooks of the framework. */
export function guardedResponse(config: Pick<Config, 'publicUrl'>): typeof ServerResponse {
  const guards = Object.entries(guardHeaders(config));
  return class GuardedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: (string | Headers | undefined)[]): this {
      const headers = rest.find((each) => typeof each === 'object');
      const missing = guards.filter(([name]) => !has(headers, name) && !this.hasHeader(name));
      if (missing.length === 0) return super.writeHead(status, ...(rest as []));
      if (headers === undefined) for (const [name, value] of missing) this.setHeader(name, value);
      const all = Array.isArray(headers)
        ? headers.concat(missing.flat())
        : { ...headers, ...Object.fromEntries(missing) };
      return super.writeHead(status, headers === undefined ? undefined : all);
    }
  };
}

function has(headers: Headers | undefined, name: string): boolean {
  if (headers === undefined) return false;
  return Array.isArray(headers) ? headers.includes(name) : name in headers || name.toLowerCase() in headers;
}
