import { actingForHeader } from '@holdfast/contract/src/bare-calls.ts';
import { keyField } from '@holdfast/contract/src/calls.ts';
import {
  type BodyOf,
  type Endpoint,
  type EndpointName,
  endpoints,
  type QueryOf,
  type ReplyOf,
} from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { clientSignal } from './connections.ts';
import { type CookieJar, openCookieJar } from './cookies.ts';
import { discardBody } from './body-deadlines.ts';
import { sendFailure, toFailure } from './failures.ts';
import { headersFor } from './response-headers.ts';
import { isCrossSite } from './same-site.ts';
import { noteForLog } from './security-events.ts';
import { openUploadForm, type UploadForm } from './upload-form.ts';

export interface EndpointCall<E extends Endpoint, Caller> {
  readonly caller: CallerOf<E, Caller>;
  /** The part of the path that varies. */
  readonly id: string;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly cookies: CookieJar;
  readonly client: ClientFacts;
  readonly incoming: IncomingMessage;
  readonly form: UploadForm;
}

type CallerOf<E extends Endpoint, Caller> = E['access'] extends 'public' ? null : Caller;

export interface ClientFacts {
  readonly address: string;
  readonly agent: string;
  readonly gone: AbortSignal;
  readonly logAccount: (accountId: string) => void;
}

export interface RequestCredentials {
  readonly cookies: CookieJar;
  readonly client: ClientFacts;
  readonly apiKey: string | undefined;
  readonly keyInForm: (() => Promise<string | undefined>) | undefined;
  readonly actingFor: string | undefined;
  readonly access: 'session' | 'account';
  /** Other than an upload. */
  readonly isChange: boolean;
}

export interface ServeOptions<Caller> {
  readonly app: FastifyInstance;
  readonly context: Context;
  /** @throws {Failure} without valid credentials, or beyond the limit of the account. */
  readonly identify: (credentials: RequestCredentials, request: FastifyRequest, endpoint: Endpoint) => Promise<Caller>;
  readonly inTurn: <T>(
    caller: Caller,
    endpoint: Endpoint,
    work: () => Promise<T>,
    incoming: IncomingMessage,
  ) => Promise<T>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

export const takesMultipart = (request: FastifyRequest): boolean =>
  request.routeOptions.config.endpoint?.bodyType === 'multipart';

/** The handler reads the body. */
export const takesStream = (request: FastifyRequest): boolean => isStream(request.routeOptions.config.endpoint);

export const isStream = (endpoint: Endpoint | undefined): boolean =>
  endpoint?.bodyType === 'multipart' || endpoint?.bodyType === 'bytes';

export type Serve<Caller> = <N extends EndpointName>(
  name: N,
  handler: (call: EndpointCall<(typeof endpoints)[N], Caller>) => Promise<ReplyOf<(typeof endpoints)[N]>>,
) => void;

/** Of a protocol that has no envelope. */
export interface PlainResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
}

export type ServePlain<Caller> = <E extends Endpoint>(
  endpoint: E,
  /** `begin` sends the response while the handler still works. */
  handler: (call: EndpointCall<E, Caller>, begin: (response: PlainResponse) => void) => Promise<PlainResponse>,
) => void;

export function createServePlain<Caller>(options: ServeOptions<Caller>): ServePlain<Caller> {
  return (endpoint, handler) => {
    options.app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { endpoint },
      onRequest: async (_request, reply) => void reply.headers(headersFor(endpoint)),
      handler: (request, reply) =>
        answer(options, endpoint, request, reply, async (call) => {
          const send = ({ status, headers = {}, body }: PlainResponse) =>
            reply.code(status).headers(headers).send(body);
          const response = await handler(call, send);
          return () => (reply.sent ? reply : send(response));
        }),
    });
  };
}

export function createServe<Caller>(options: ServeOptions<Caller>): Serve<Caller> {
  return (name, handler) => {
    const endpoint: Endpoint = endpoints[name];
    const handle = (request: FastifyRequest, reply: FastifyReply) =>
      answer(options, endpoint, request, reply, handler as (call: EndpointCall<Endpoint, Caller>) => Promise<object>);
    for (const url of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      options.app.route({
        method: endpoint.method,
        url,
        config: { endpoint },
        onRequest: async (_request, reply) => void reply.headers(headersFor(endpoint)),
        handler: handle,
      });
    }
  };
}

async function answer<Caller>(
  options: ServeOptions<Caller>,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: (call: EndpointCall<Endpoint, Caller>) => Promise<object | (() => FastifyReply)>,
): Promise<FastifyReply> {
  const form = openUploadForm(request.raw, reply.raw, endpoint.mostFiles);
  try {
    const call = await openCall(options, endpoint, request, reply, form);
    const caller = call.caller as Caller | null;
    const value = await (caller === null
      ? handler(call)
      : options.inTurn(caller, endpoint, () => handler(call), request.raw));
    return typeof value === 'function' ? (value as () => FastifyReply)() : reply.send({ success: true, ...value });
  } catch (error) {
    return sendFailure(reply, toFailure(error, request, options.context));
  } finally {
    await form.close();
    discardBody(request.raw);
  }
}

async function openCall<Caller>(
  options: ServeOptions<Caller>,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  form: UploadForm,
): Promise<EndpointCall<Endpoint, Caller>> {
  const { context, identify } = options;
  const [actingFor] = [request.headers[actingForHeader.toLowerCase()]].flat();
  const [apiKey, ...otherKeys] = endpoint.access === 'account' ? sentKeys(request.headers) : [];
  if (otherKeys.length > 0) throw new Failure('INVALID_INPUT', differentKeys);
  const byKey = apiKey !== undefined;
  if (
    endpoint.method !== 'GET' &&
    endpoint.method !== 'HEAD' &&
    !byKey &&
    isCrossSite(request.headers, context.config.publicUrl)
  )
    throw new Failure('CROSS_SITE');
  const cookies = openCookieJar(request.headers.cookie, context.config.origins.app, (cookie) =>
    reply.header('Set-Cookie', cookie),
  );
  const { access } = endpoint;
  const client = {
    address: request.ip,
    agent: request.headers['user-agent'] ?? '',
    gone: clientSignal(request.raw),
    logAccount: (account: string) => noteForLog(request, { account }),
  };
  const keyInForm = endpoint === endpoints.upload ? () => form.fieldBeforeFiles(keyField) : undefined;
  const isChange = endpoint.method !== 'GET' && endpoint.method !== 'HEAD' && !isStream(endpoint);
  const credentials = { cookies, client, apiKey, keyInForm, actingFor, isChange } as const;
  const caller = access === 'public' ? null : await identify({ ...credentials, access }, request, endpoint);
  const query = validate(endpoint.query, request.query);
  const body = validate(endpoint.body, request.body);
  return {
    caller: caller as CallerOf<Endpoint, Caller>,
    id: Object.values(request.params as Record<string, string>)[0] ?? '',
    query: query as undefined,
    body: body as undefined,
    cookies,
    client,
    incoming: request.raw,
    form,
  };
}

/** RFC 6750, section 2: a client must not use more than one way. */
const differentKeys = 'X-API-Key and Authorization have different keys. Send one of them.';

function validate(schema: z.ZodMiniType | undefined, input: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new Failure('INVALID_INPUT', firstMessage(result.error.issues, input));
}

function firstMessage(issues: readonly z.core.$ZodIssue[], input: unknown): string {
  const [issue] = issues;
  if (!issue) return 'The request is not valid.';
  if (issue.code === 'invalid_union') {
    // Of several alternatives, the caller meant the one that rejects a field that was sent.
    const meant = issue.errors.find(([fault]) => fault && isSent(input, fault.path[0])) ?? issue.errors[0];
    if (meant?.length) return firstMessage(meant, input);
  }
  if (issue.message !== 'Invalid input') return issue.message;
  return issue.path.length > 0
    ? `'${issue.path.join('.')}' is missing or has a wrong type`
    : 'Expected a JSON object with the fields of this call.';
}

function isSent(input: unknown, field: PropertyKey | undefined): boolean {
  return typeof input === 'object' && input !== null && field !== undefined && Object.hasOwn(input, field);
}

/** Other schemes of `Authorization` than Bearer (RFC 6750) may belong to a proxy. */
export function sentKeys({ 'x-api-key': plain = [], authorization = '' }: IncomingHttpHeaders): readonly string[] {
  const bearer = /^Bearer(?: +(.*))?$/i.exec(authorization);
  return [...new Set([plain, bearer ? (bearer[1] ?? '') : []].flat())];
}
