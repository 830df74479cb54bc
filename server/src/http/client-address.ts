import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/**
 * Returns the key of a client for per-client limits: an IPv4 address, or the first 64 bits of an IPv6 address, because
 * a customer who has one such address has all that share its prefix. Every spelling of an address yields the same key:
 * some proxies add the port, or write an IPv4 address as an IPv6 one.
 */
export function clientKey(address: string): string {
  if (isIPv4(address)) return address;
  const bare = withPort.exec(address)?.slice(1).find(Boolean) ?? address;
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).map(hexOf).join(':') : parsed.toString();
}

/** Matches `192.0.2.1:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]`. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/;

const hexOf = (group: number) => group.toString(16);
