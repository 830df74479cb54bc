import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Asker extends Disposable {
  /** Accepts any status; throws only if there is no response. */
  readonly ask: (url: string, headers?: OutgoingHttpHeaders) => Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Time from the request to the last byte, in milliseconds. */
  readonly took: number;
}

/** Keeps one connection open, so that a time covers only the response. */
export function openAsker(): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    ask(url, headers = {}) {
      const start = performance.now();
      return new Promise((resolve, reject) => {
        request(url, { agent, headers }, (answer) => {
          const status = answer.statusCode ?? 0;
          text(answer).then(
            (body) => resolve({ status, headers: answer.headers, body, took: performance.now() - start }),
            reject,
          );
        })
          .on('error', reject)
          .end();
      });
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
