import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';

export interface TextRequest extends RequestOptions {
  readonly secure: boolean;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Time limit for the connection, including TLS. */
  readonly connectMs: number;
  /** Bytes. */
  readonly longestAnswer: number;
}

export interface TextAnswer {
  readonly response: IncomingMessage;
  readonly text: string;
}

/**
 * Sends an HTTP request whose response is text of bounded length. Node itself waits for a connection as long as the
 * system does, and for a response forever.
 * @throws when the connection takes too long, the response breaks off or is too long, or `signal` aborts.
 */
export async function requestText({ body, connectMs, longestAnswer, ...options }: TextRequest): Promise<TextAnswer> {
  const { secure } = options;
  const request = (secure ? requestSecurely : requestPlainly)(options);
  const connecting = setTimeout(() => request.destroy(new Error('it took too long to connect')), connectMs);
  const connected = () => clearTimeout(connecting);
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', connected);
    else connected();
  });
  request.once('close', connected);
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  request.end(body);
  const [response] = await answered;
  // A later failure also breaks the response, which is where it is handled.
  request.on('error', () => {});
  return { response, text: await readText(response, longestAnswer) };
}

async function readText(chunks: AsyncIterable<Buffer>, longest: number): Promise<string> {
  const read: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > longest) throw new Error('the response is too long');
    read.push(chunk);
  }
  return Buffer.concat(read).toString('utf8');
}
