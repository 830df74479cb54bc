import ipaddr from 'ipaddr.js';
import type { IncomingMessage, Server } from 'node:http';
import type { Context } from '../context.ts';
import { onceAnHour } from '../lib/once-an-hour.ts';
import { createProxyCheck } from './connections.ts';

const forwarding = ['x-forwarded-for', 'forwarded', 'via'] as const;

/**
 * Warns once an hour. Only of this machine or a private network: elsewhere it could be a visitor's own proxy, which must
 * not be trusted.
 */
export function warnOfUnnamedProxy(
  server: Server,
  { config, log, clock }: Pick<Context, 'config' | 'log' | 'clock'>,
): void {
  const isNamed = createProxyCheck(config.trustProxy);
  const isDue = onceAnHour(clock, 20);
  const look = ({ headers, socket: { remoteAddress } }: IncomingMessage): void => {
    if (forwarding.every((name) => headers[name] === undefined)) return;
    if (remoteAddress === undefined || isNamed(remoteAddress)) return;
    const peer = ipaddr.process(remoteAddress);
    const address = peer.toString();
    if (peer.range() === 'unicast' || !isDue(address)) return;
    log.warn(
      `Requests from ${address} have X-Forwarded-For, Forwarded or Via, as those of a proxy, but TRUST_PROXY does not name ` +
        `${address}: all visitors count as one, with one set of limits, one speed and one hit. If it is your proxy, let it ` +
        `send X-Forwarded-For, and set TRUST_PROXY=${address}`,
    );
  };
  server.prependListener('request', look);
}
