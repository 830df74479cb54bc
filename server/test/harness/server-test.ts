import { afterAll, test as base } from 'vitest';
import { signUpAndIn } from './accounts.ts';
import { startServer, type TestServer } from './start-server.ts';

/** Each test has a server of its own, and on it an account of the Free plan. */
export const testOn = (start: () => Promise<TestServer>) =>
  base
    .extend('server', async ({}, { onCleanup }) => {
      const server = await start();
      onCleanup(() => server[Symbol.asyncDispose]());
      return server;
    })
    .extend('account', ({ server }) => signUpAndIn(server));

export const test = testOn(startServer);

/** One server for the tests of a file that look only at an account of their own. */
export async function shareServer(...asked: Parameters<typeof startServer>) {
  const server = await startServer(...asked);
  afterAll(() => server[Symbol.asyncDispose]());
  return { server, test: base.extend('account', () => signUpAndIn(server)) };
}
