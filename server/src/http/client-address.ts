import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/**
 * Who a request comes from, for what is counted for each client: an IPv4 address, or the first 64 bits of an IPv6
 * address, since whoever has one of those has all that begin like it (decisions section 2). However it is spelled, it
 * is one: some proxies add the port, or write an IPv4 address as an IPv6 one.
 */
export function clientKey(address: string): string {
  if (isIPv4(address)) return address;
  const bare = withPort.exec(address)?.slice(1).find(Boolean) ?? address;
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).map(hexOf).join(':') : parsed.toString();
}

/** `192.0.2.1:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]`. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/;

const hexOf = (group: number) => group.toString(16);
