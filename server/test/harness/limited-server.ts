import type { Environment } from '../../src/config/read-setting.ts';
import { call, type Answer, type RawCall } from './calls.ts';
import { testOn } from './server-test.ts';
import { startServer, type TestServer } from './start-server.ts';

/** A server with real limits, behind a proxy on loopback that sends the client's address. */
export function startLimited(environment: Environment = {}): Promise<TestServer> {
  return startServer({ TRUST_PROXY: '127.0.0.1', ...environment }, { limits: 'real' });
}

export const limitedTest = testOn(startLimited);

/** Sends a request as the proxy forwards it. */
export function callFrom(
  server: Pick<TestServer, 'url'>,
  address: string,
  path: string,
  request: RawCall = {},
): Promise<Answer> {
  return call(server, path, { ...request, headers: { ...request.headers, 'X-Forwarded-For': address } });
}

/** Repeats a request, one after the other, and returns the statuses of the responses. */
export async function statuses(times: number, ask: (turn: number) => Promise<Answer>): Promise<number[]> {
  const found = [];
  for (let turn = 0; turn < times; turn += 1) found.push((await ask(turn)).status);
  return found;
}
