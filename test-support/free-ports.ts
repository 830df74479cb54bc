import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns different ports that were free a moment ago, for a program that cannot choose its own. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => (probe.address() as { port: number }).port);
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports;
}

/** Returns one such port. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
