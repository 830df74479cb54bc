import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from 'node:http';
import type { Config } from '../config/config.ts';
import { answerBrokenRequests } from './broken-requests.ts';
import { guardedResponse } from './response-headers.ts';

/** Twice the longest call, which deletes 500 files. */
const jsonBodyBytes = 64 * 1024;

/** A reverse proxy on this machine carries many clients, also one that `TRUST_PROXY` does not name. */
export const thisMachine = ['127.0.0.0/8', '::1'];

type RefuseUnreadable = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export const appOptions = (config: Config, refuseUnreadable: RefuseUnreadable) =>
  ({
    logger: false,
    bodyLimit: jsonBodyBytes,
    requestTimeout: 0,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
      ServerResponse: guardedResponse(config),
    },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    exposeHeadRoutes: true,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequests(config),
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      void refuseUnreadable(error, request, reply),
  }) satisfies FastifyHttpOptions<Server>;
