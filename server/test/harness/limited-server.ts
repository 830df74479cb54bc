import type { Environment } from '../../src/config.ts';
import { call, type Answer, type RawCall } from './calls.ts';
import { startServer, type TestServer } from './start-server.ts';

/** A server that limits, behind a proxy on loopback that says where each request comes from. */
export function startLimited(environment: Environment = {}): Promise<TestServer> {
  return startServer({ TRUST_PROXY: '127.0.0.1', ...environment }, { limits: 'real' });
}

/** One request as the proxy passes it on. */
export function callFrom(
  server: Pick<TestServer, 'url'>,
  address: string,
  path: string,
  request: RawCall = {},
): Promise<Answer> {
  return call(server, path, { ...request, headers: { ...request.headers, 'X-Forwarded-For': address } });
}

/** The same request again and again, one after the other: the statuses of the answers. */
export async function statuses(times: number, ask: (turn: number) => Promise<Answer>): Promise<number[]> {
  const found = [];
  for (let turn = 0; turn < times; turn += 1) found.push((await ask(turn)).status);
  return found;
}
