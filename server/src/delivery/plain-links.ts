import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import { rememberPendingAnswer } from '../http/broken-requests.ts';
import { clientKey } from '../http/client-address.ts';
import { hostNamedBy } from '../http/hosts.ts';
import { isGuessable, type ServeLink } from './serve-link.ts';

type ShortWay = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Asks `way` before the framework, whose listener is the last one. */
export function openShortWay(server: Server, way: ShortWay): void {
  const usual = server.listeners('request').at(-1) as RequestListener;
  server.off('request', usual);
  server.on('request', (request, response) => {
    if (!way(request, response)) usual(request, response);
  });
}

/** The framework's routing and hooks would take longer than the rest of a small download. */
export function createPlainLinks(context: Pick<Context, 'config'>, serve: ServeLink): ShortWay {
  if (context.config.trustProxy.length > 0) return () => false;
  return (raw, response) => {
    const { headers, socket, url = '' } = raw;
    const target = plain.exec(url)?.[1];
    if (target === undefined || isGuessable(target) || (raw.method !== 'GET' && raw.method !== 'HEAD')) return false;
    if (bodyHeaders.some((name) => headers[name] !== undefined)) return false;
    const role = context.config.origins.hosts.get(hostNamedBy(raw) ?? '');
    if ((role !== 'files' && role !== 'both') || socket.remoteAddress === undefined) return false;
    rememberPendingAnswer(response, false);
    void serve({ raw, response, target, counted: true, client: clientKey(socket.remoteAddress) });
    return true;
  };
}

const bodyHeaders = ['content-length', 'transfer-encoding', 'expect'] as const;
const plain = new RegExp(`^${fileRoot}([0-9A-Za-z]+(?:\\.[0-9A-Za-z]+){0,2})$`);
