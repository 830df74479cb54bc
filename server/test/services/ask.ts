import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { appHost, type ProxyInFront } from './proxy-in-front.ts';

export interface Question {
  readonly host?: string;
  /** The name requested by TLS, if it differs from the host. */
  readonly servername?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Over plain HTTP, on its port. */
  readonly plain?: boolean;
  /** The local address of the connection. */
  readonly from?: string;
}

export interface Reply {
  readonly status: number;
  /** Every header line, names in lower case, sorted. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  header(name: string): string | undefined;
}

/** Sends one request on its own connection and returns every header line of the response. */
export async function ask(proxy: ProxyInFront, path: string, question: Question = {}): Promise<Reply> {
  const { host = appHost, servername = host, method = 'GET', headers = {}, body, plain = false, from } = question;
  const options = {
    host: '127.0.0.1',
    method,
    path,
    headers: { Host: host, ...headers },
    agent: false as const,
    ...(from !== undefined && { localAddress: from }),
  };
  const request = plain
    ? httpRequest({ ...options, port: proxy.httpPort })
    : httpsRequest({ ...options, port: proxy.port, servername, ca: await readFile(proxy.certificate) });
  request.end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 0,
    headers: headerLines(answer),
    body: await buffer(answer),
    header: (name) => answer.headers[name]?.toString(),
  };
}

function headerLines({ rawHeaders }: IncomingMessage): (readonly [string, string])[] {
  return rawHeaders
    .flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ''] as const] : []))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
