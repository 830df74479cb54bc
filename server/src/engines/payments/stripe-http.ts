import { once } from 'node:events';
import { type Agent as PlainAgent, type IncomingMessage, request as requestPlainly } from 'node:http';
import { type Agent as SecureAgent, request as requestSecurely } from 'node:https';
import type { Stripe } from 'stripe';

export interface StripeLimits {
  /** For each connection, with its TLS. */
  readonly connectMs: number;
  /** For each try, up to the last byte of its answer. */
  readonly tryMs: number;
  /** For everything that one promise of the port asks, retries too. */
  readonly totalMs: number;
}

export interface StripeHttp {
  readonly agents: { readonly http: PlainAgent; readonly https: SecureAgent };
  readonly limits: StripeLimits;
  /** Of the promise of the port that asks. */
  readonly signal: AbortSignal;
}

/** A page of a hundred subscriptions has about 400 KB. */
const longestAnswer = 8 * 1024 * 1024;

/**
 * How the SDK sends: its own client waits for a connection as long as the system does, and for an answer as long as a
 * byte comes now and then.
 */
export function createStripeHttp({ agents, limits, signal }: StripeHttp): Stripe.HttpClient {
  return {
    getClientName: () => 'node',
    async makeRequest(host, port, path, method, headers, requestData, protocol) {
      signal.throwIfAborted();
      const secure = protocol !== 'http';
      const request = (secure ? requestSecurely : requestPlainly)({
        host,
        port,
        path,
        method,
        headers: { ...headers },
        agent: secure ? agents.https : agents.http,
        signal: AbortSignal.any([signal, AbortSignal.timeout(limits.tryMs)]),
      });
      const connecting = setTimeout(() => request.destroy(new Error('it took too long to connect')), limits.connectMs);
      const connected = () => clearTimeout(connecting);
      request.once('socket', (socket) => {
        if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', connected);
        else connected();
      });
      request.once('close', connected);
      const answered = once(request, 'response') as Promise<[IncomingMessage]>;
      request.end(requestData);
      const [response] = await answered;
      // What breaks from here on breaks the response too, which is where it is noticed.
      request.on('error', () => {});
      return asAnswer(response, await readAll(response));
    },
  };
}

type Answer = Awaited<ReturnType<Stripe.HttpClient['makeRequest']>>;

function asAnswer(response: IncomingMessage, body: string): Answer {
  return {
    getStatusCode: () => response.statusCode ?? 0,
    getHeaders: () => response.headers as ReturnType<Answer['getHeaders']>,
    getRawResponse: () => response,
    toStream: () => {
      throw new Error('nothing is streamed here');
    },
    toJSON: async () => JSON.parse(body) as unknown,
  };
}

async function readAll(chunks: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > longestAnswer) throw new Error('the answer is too long');
    read.push(chunk);
  }
  return Buffer.concat(read).toString('utf8');
}
