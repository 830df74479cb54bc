import { BlockList, isIPv6, type Server, type Socket } from 'node:net';
import { createKeyedCount } from '../lib/keyed-count.ts';
import { clientKey } from './client-address.ts';

export interface ConnectionLimits {
  readonly inAll: number;
  readonly perAddress: number;
}

/** One address of a whole company or campus rarely has a hundred: a browser opens six to each host. */
const connectionsPerAddress = 500;
/** Workers get connections in turn, but not equally many of each address, so each of many has to allow a hundred. */
const leastPerWorker = 100;

/** Returns the limits of a process, or of one of several workers. An idle connection costs about 20 KB. */
export const connectionLimits = (workers: number | null): ConnectionLimits => ({
  inAll: 8_000,
  perAddress: Math.max(Math.ceil(connectionsPerAddress / (workers ?? 1)), leastPerWorker),
});

export interface ConnectionLimiter {
  /** Networks of reverse proxies. Their connections carry many clients, so they only count in all. */
  readonly trustProxy: readonly string[];
  readonly onRefused: () => void;
}

/** Refuses connections beyond the limits, before a byte is read. An IPv6 `/64` is one address. */
export function limitConnections(
  server: Server,
  { trustProxy, onRefused }: ConnectionLimiter,
  { inAll, perAddress }: ConnectionLimits,
): void {
  const isProxy = createProxyCheck(trustProxy);
  const open = createKeyedCount<string>();
  server.maxConnections = inAll;
  // Otherwise a full worker would pass a connection on to the next one, which may be as full. The types lack it.
  Object.assign(server, { dropMaxConnection: true });
  server.on('drop', onRefused);
  // It comes before the listener that prepares the connection for HTTP.
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const client = clientKey(remoteAddress);
    if (open.of(client) >= perAddress) {
      onRefused();
      return void socket.resetAndDestroy();
    }
    open.add(client);
    socket.once('close', () => open.remove(client));
  });
}

function createProxyCheck(networks: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return (address) => proxies.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
