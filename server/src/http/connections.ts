import { Failure } from '@holdfast/contract/src/errors.ts';
import type { IncomingMessage, Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { createKeyedCount } from '../lib/keyed-count.ts';
import { processCounts } from '../lib/process-counts.ts';
import { clientKey } from './client-address.ts';

/** A whole company or campus rarely has a hundred: a browser opens six to each host. */
const connectionsPerAddress = 500;
const leastPerWorker = 100;

/** An idle connection costs about 20 KB. */
export const connectionLimits = (workers: number | null) => ({
  inAll: 8_000,
  perAddress: Math.max(Math.ceil(connectionsPerAddress / (workers ?? 1)), leastPerWorker),
});

export function limitConnections(
  server: Server,
  proxies: readonly string[],
  { inAll, perAddress }: ReturnType<typeof connectionLimits>,
): void {
  const isProxy = createProxyCheck(proxies);
  const onRefused = () => (processCounts.refusedConnections += 1);
  const open = createKeyedCount<string>();
  server.maxConnections = inAll;
  // Otherwise a full worker would pass it on to the next one, which may be as full. The types lack it.
  Object.assign(server, { dropMaxConnection: true });
  server.on('drop', onRefused);
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

export function createProxyCheck(networks: readonly string[]): (address: string) => boolean {
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

const longestStallMs = 60_000;

export function endStalledConnections(server: Server, ms = longestStallMs): void {
  server.setTimeout(ms);
  server.on('timeout', (socket: Socket) => {
    // After an orderly close the kernel would keep what is unsent while the client is there.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else socket.destroy();
  });
}

const signalOf = new WeakMap<Socket, AbortSignal>();

export function clientSignal({ socket }: IncomingMessage): AbortSignal {
  let signal = signalOf.get(socket);
  if (!signal) {
    const controller = new AbortController();
    const abort = () => controller.abort(new Failure('REQUEST_TIMEOUT', 'The client has closed the connection.'));
    if (socket.destroyed) abort();
    else socket.once('close', abort);
    signal = controller.signal;
    signalOf.set(socket, signal);
  }
  return signal;
}
