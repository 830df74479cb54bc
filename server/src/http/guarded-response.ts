import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Config } from '../config/config.ts';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Returns headers that every response has, unless it sets its own: pages, assets and public files have other policies. */
export function guardHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    // Only over HTTPS (RFC 6797 section 7.2). Other sites of the operator may be below this name, and may lack HTTPS.
    ...(publicUrl?.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}

/** The class of a server's responses. Some of them never pass the framework, so its hooks could miss one. */
export function guardedResponse(config: Pick<Config, 'publicUrl'>): typeof ServerResponse {
  const guards = Object.entries(guardHeaders(config));
  return class GuardedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: (string | Headers | undefined)[]): this {
      const headers = rest.find((each) => typeof each === 'object');
      const missing = guards.filter(([name]) => !has(headers, name) && !this.hasHeader(name));
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
