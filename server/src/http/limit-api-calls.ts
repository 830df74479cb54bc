import { apiRoot } from '@holdfast/contract/src/calls.ts';
import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { uploadEndpoints } from '@holdfast/contract/src/upload-endpoints.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { createLru } from '../lib/lru.ts';
import { type CookieJar, openCookieJar } from './cookies.ts';
import { giveBack, type LimitName, take } from './rate-limits.ts';
import { headersFor } from './response-headers.ts';
import { sentKeys } from './serve.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Events of a provider are signed, and come in bursts. */
    countsCalls?: boolean;
    /** A page that people open: a signed-in caller is counted by session. */
    isBrowserRedirect?: boolean;
  }
}

interface CredentialLookup<Found> {
  sessionKeyOf(cookies: CookieJar): string | undefined;
  findSession(cookies: CookieJar): Promise<Found | undefined>;
  findKey(apiKey: string): Promise<Found | undefined>;
}

interface Credential<Found> {
  readonly limit: LimitName;
  readonly key: string;
  find(): Promise<Found | undefined>;
}

/** They have a limit of their own. */
export const uploadCalls: ReadonlySet<Endpoint> = new Set<Endpoint>([
  endpoints.upload,
  ...Object.values(uploadEndpoints),
]);

const believedForMs = 1_000;

export function createApiCallLimit<Found>(context: Context, lookup: CredentialLookup<Found>) {
  const foundFor = new WeakMap<FastifyRequest['raw'], { readonly found: Found; readonly at: number }>();
  const countForm = new WeakMap<FastifyRequest['raw'], (key: string | undefined) => Promise<void>>();
  const proven = createLru<string, true>(20_000);

  const credentialOf = (request: FastifyRequest): Credential<Found> | undefined => {
    const { endpoint, isBrowserRedirect = false } = request.routeOptions.config;
    const isUpload = endpoint !== undefined && uploadCalls.has(endpoint);
    const [apiKey] = endpoint?.access === 'account' ? sentKeys(request.headers) : [];
    if (apiKey !== undefined) {
      return isUpload ? { limit: 'uploads', key: sha256Hex(apiKey), find: () => lookup.findKey(apiKey) } : undefined;
    }
    if (!endpoint && !isBrowserRedirect) return undefined;
    const cookies = openCookieJar(request.headers.cookie, context.config.origins.app, () => {});
    const key = lookup.sessionKeyOf(cookies);
    if (key === undefined) return undefined;
    return { limit: isUpload ? 'uploads' : 'calls in session', key, find: () => lookup.findSession(cookies) };
  };

  return {
    /** @throws {Failure} RATE_LIMITED. */
    async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { endpoint, countsCalls = true } = request.routeOptions.config;
      if (!countsCalls || !isApiCall(request)) return;
      // Lets scripts of other sites read a refusal too.
      if (endpoint) reply.headers(headersFor(endpoint));
      const charge = async (limit: LimitName, who: string) => noteTaken(reply, await take(context, limit, who));
      const credential = credentialOf(request);
      if (!credential) {
        if (endpoint !== endpoints.upload) return charge('calls', request.ip);
        // Its form may have a key.
        countForm.set(request.raw, async (key) => {
          if (key === undefined) return charge('calls', request.ip);
          await giveBack(context, 'unproven calls', request.ip);
          await charge('uploads', sha256Hex(key));
        });
        return charge('unproven calls', request.ip);
      }
      const isProven = proven.get(credential.key) === true;
      if (isProven) await charge(credential.limit, credential.key);
      else await charge('unproven calls', request.ip);
      const found = await credential.find();
      if (!found) {
        proven.delete(credential.key);
        return charge('calls', request.ip);
      }
      foundFor.set(request.raw, { found, at: context.clock.monotonic() });
      if (isProven) return;
      proven.set(credential.key, true);
      await giveBack(context, 'unproven calls', request.ip);
      await charge(credential.limit, credential.key);
    },
    /**
     * Counts an upload without another credential. `key`: the key in its form, if an account has it.
     * @throws {Failure} RATE_LIMITED.
     */
    async countForm({ raw }: FastifyRequest, key: string | undefined): Promise<void> {
      await countForm.get(raw)?.(key);
    },
    /** Returns whom it has looked up less than a second ago: the body may arrive much later. */
    found({ raw }: FastifyRequest): Found | undefined {
      const noted = foundFor.get(raw);
      return noted && context.clock.monotonic() - noted.at < believedForMs ? noted.found : undefined;
    },
  };
}

function noteTaken(reply: FastifyReply, taken: Awaited<ReturnType<typeof take>>): void {
  const { allowed, limit, remaining, resetSeconds, retryAfterSeconds } = taken;
  reply.headers({
    'RateLimit-Limit': limit.capacity,
    'RateLimit-Remaining': remaining,
    'RateLimit-Reset': resetSeconds,
  });
  if (!allowed) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds });
}

function isApiCall({ method, routeOptions, url }: FastifyRequest): boolean {
  const path = routeOptions.url ?? url.split('?', 1)[0] ?? '';
  const preflight = method === 'OPTIONS' && routeOptions.url !== undefined && !path.endsWith('*');
  return !preflight && (path === apiRoot || path.startsWith(`${apiRoot}/`));
}
