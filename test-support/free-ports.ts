import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Returns different ports that were free a moment ago, for a program that cannot choose its own. They lie below those that
 * the system gives to outgoing connections, so none of these takes the port while a test stops a program and starts it again.
 */
export async function freePorts(count: number): Promise<number[]> {
  const probes: Server[] = [];
  while (probes.length < count) {
    const probe = createServer().listen(randomInt(10_240, 32_768), '127.0.0.1');
    await once(probe, 'listening').then(
      () => probes.push(probe),
      () => undefined,
    );
  }
  const ports = probes.map((probe) => (probe.address() as { port: number }).port);
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports;
}

/** Returns one such port. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
