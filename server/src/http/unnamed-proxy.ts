import ipaddr from 'ipaddr.js';
import type { IncomingMessage, Server } from 'node:http';
import type { Context } from '../context.ts';
import { createProxyCheck } from './connections.ts';

const forwarding = ['x-forwarded-for', 'forwarded'] as const;

/**
 * Warns once. Only of this machine or a private network: elsewhere it could be a visitor's own proxy, which must not be
 * trusted.
 */
export function warnOfUnnamedProxy(server: Server, { config, log }: Pick<Context, 'config' | 'log'>): void {
  const isNamed = createProxyCheck(config.trustProxy);
  const look = ({ headers, socket: { remoteAddress } }: IncomingMessage): void => {
    if (forwarding.every((name) => headers[name] === undefined)) return;
    if (remoteAddress === undefined || isNamed(remoteAddress)) return;
    const peer = ipaddr.process(remoteAddress);
    if (peer.range() === 'unicast') return;
    const address = peer.toString();
    server.off('request', look);
    log.warn(
      `Requests from ${address} name another client in X-Forwarded-For or Forwarded, but TRUST_PROXY does not name ${address}: ` +
        `all visitors count as one, with one set of limits, one speed and one hit. If it is your proxy, set TRUST_PROXY=${address}`,
    );
  };
  server.prependListener('request', look);
}
