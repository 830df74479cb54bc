import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';
import type { Config } from '../config/config.ts';

type Trust = Pick<Config, 'trustProxy'>;

/** Only these may say in X-Forwarded-For whose request it is. */
export const trustedProxies = ({ trustProxy }: Trust) => (trustProxy.length > 0 ? [...trustProxy] : false);

/** A reverse proxy on this machine carries many clients, also one that `TRUST_PROXY` does not name. */
export const manyClients = ({ trustProxy }: Trust) => [...trustProxy, '127.0.0.0/8', '::1'];

/** Some proxies send the port. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/;

/** One key for all spellings. A customer who has one IPv6 address has all that share its first 64 bits. */
export function clientKey(address: string): string {
  if (isIPv4(address)) return address;
  const bare = withPort.exec(address)?.slice(1).find(Boolean) ?? address;
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

export const networkOf = (client: string): string | undefined =>
  /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+$/.exec(client)?.[1];

export function clientNetwork(address: string): string {
  const key = clientKey(address);
  return networkOf(key) === undefined ? key : `${key}::/64`;
}
