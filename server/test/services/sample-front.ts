import { createServer, request as ask } from 'node:http';
import { seconds } from '../../src/lib/clock.ts';
import type { TestServer } from '../harness/start-server.ts';

export interface SampleFront extends AsyncDisposable {
  readonly url: string;
  /** The server's responses, in order; `at` in milliseconds of the machine's own time. */
  readonly answers: readonly { readonly status: number; readonly at: number }[];
}

/**
 * Forwards a sample's calls to a server, whose clock advances by a second with each call that it refuses as too many.
 */
export async function frontOf(server: TestServer): Promise<SampleFront> {
  const answers: { status: number; at: number }[] = [];
  const front = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onward = ask(server.url + String(url), { method, headers: { ...headers, host: new URL(server.url).host } });
    onward.once('response', (answer) => {
      const { statusCode: status = 0 } = answer;
      answers.push({ status, at: performance.now() });
      if (status === 429) server.clock.advance(seconds(1));
      outgoing.writeHead(status, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  front.listen(0, '127.0.0.1', resolve);
  await listening;
  const address = front.address();
  if (address === null || typeof address === 'string') throw new Error('the front has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    answers,
    async [Symbol.asyncDispose]() {
      const { promise: closed, resolve: done } = Promise.withResolvers<void>();
      front.close(() => done());
      front.closeAllConnections();
      await closed;
    },
  };
}
