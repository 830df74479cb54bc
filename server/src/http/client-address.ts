import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/**
 * Returns the key of a client for per-client limits: an IPv4 address, or the first 64 bits of an IPv6 address, because
 * a customer who has one such address has all that share its prefix. Every spelling of an address yields the same key:
 * some proxies add the port, or write an IPv4 address as an IPv6 one.
 */
export function clientKey(address: string): string {
  if (isIPv4(address)) return address;
  const parsed = parse(address);
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 4) : (parsed?.toString() ?? address);
}

/**
 * Returns the first 48 bits of an IPv6 address, because a site usually has 65,536 prefixes of 64 bits, and undefined
 * for IPv4.
 */
export function networkKey(address: string): string | undefined {
  const parsed = isIPv4(address) ? undefined : parse(address);
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 3) : undefined;
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = withPort.exec(address)?.slice(1).find(Boolean) ?? address;
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

const prefixOf = ({ parts }: ipaddr.IPv6, groups: number) => parts.slice(0, groups).map(hexOf).join(':');

/** Returns the same client as firewalls write it: an IPv4 address, or the network of an IPv6 address. */
export function clientNetwork(address: string): string {
  const key = clientKey(address);
  return /^[0-9a-f]+(:[0-9a-f]+){3}$/.test(key) ? `${key}::/64` : key;
}

/** Matches `192.0.2.1:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]`. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/;

const hexOf = (group: number) => group.toString(16);
