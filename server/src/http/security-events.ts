/**
 * Lets an operator notice an attack and ban its addresses. Lines contain no password, code, key, email address or
 * query.
 */
import { apiRoot } from '@holdfast/contract/src/calls.ts';
import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import type { ErrorCode } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { createLogRateLimit } from '../lib/log-rate-limit.ts';
import { clientKey, clientNetwork, networkOf } from './client-address.ts';

const events: ReadonlyMap<Endpoint, string> = new Map<Endpoint, string>([
  [endpoints.login, 'sign-in'],
  [endpoints.createAccount, 'sign-up'],
  [endpoints.verifyEmail, 'verification'],
  [endpoints.requestPasswordReset, 'reset-request'],
  [endpoints.resetPassword, 'reset'],
  [endpoints.changePassword, 'password-change'],
  [endpoints.confirmPassword, 'password-confirmation'],
  [endpoints.changeApiKey, 'key-change'],
  [endpoints.setKeyInForm, 'key-in-form'],
  [endpoints.endSessions, 'sessions-end'],
  [endpoints.deleteAccount, 'account-close'],
]);

/** Lines of one client in a minute, and a quarter of those of its network. */
const mostLines = { done: 60, attempts: 20, calls: 5 };
const longestAgent = 100;

interface Facts {
  account?: string;
  code?: ErrorCode;
}

const factsOf = new WeakMap<FastifyRequest, Facts>();

export function noteForLog(request: FastifyRequest, facts: Facts): void {
  factsOf.set(request, { ...factsOf.get(request), ...facts });
}

export function logSecurityEvents(app: FastifyInstance, { log }: Pick<Context, 'log'>): void {
  const lines = createLogRateLimit<object>(
    (line) => log.info(line, 'security event'),
    (count) => log.info({ event: 'more', count }, 'more security events were not logged'),
  );
  app.addHook('onResponse', async (request, reply) => {
    const line = lineOf(request, reply);
    if (!line) return;
    const { event, outcome } = line;
    const kind = outcome === 'done' ? 'done' : event === 'call' ? 'calls' : 'attempts';
    const client = clientKey(request.ip);
    const most = mostLines[kind];
    lines.write(`${event} ${kind}`, { [networkOf(client) ?? client]: 4 * most, [client]: most }, line);
  });
  app.addHook('onClose', async () => lines[Symbol.dispose]());
}

function lineOf(request: FastifyRequest, { statusCode }: FastifyReply) {
  const { endpoint } = request.routeOptions.config;
  const { code, account } = factsOf.get(request) ?? {};
  const event = (endpoint && events.get(endpoint)) ?? refusedCall(request, statusCode);
  if (event === undefined) return undefined;
  // Filters of fail2ban rely on this order: what the client chose comes last.
  return {
    event,
    outcome: outcomeOf(statusCode, code),
    ...(code && { code }),
    client: clientNetwork(request.ip),
    ...(account !== undefined && { account }),
    ...(event === 'call' && { call: `${request.method} ${endpoint?.path ?? 'unknown'}` }),
    agent: (request.headers['user-agent'] ?? '').slice(0, longestAgent),
  };
}

function refusedCall({ url }: FastifyRequest, statusCode: number): string | undefined {
  const isApi = url === apiRoot || url.startsWith(`${apiRoot}/`);
  return isApi && [401, 403, 429].includes(statusCode) ? 'call' : undefined;
}

function outcomeOf(statusCode: number, code: ErrorCode | undefined): 'done' | 'refused' | 'locked' | 'failed' {
  if (statusCode < 400) return 'done';
  if (code === 'TOO_MANY_ATTEMPTS') return 'locked';
  return statusCode < 500 ? 'refused' : 'failed';
}
