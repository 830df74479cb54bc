import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface IssuedToken {
  readonly action: string;
  readonly hostname: string;
  readonly score: number;
}

/** Fault injected into one request: a response that is no verdict, or no response. */
export type RecaptchaTrouble = 'overloaded' | 'dropped' | 'silent' | 'not JSON' | 'cut short' | 'moved';

export interface RecaptchaStandIn extends AsyncDisposable {
  readonly verifyUrl: string;
  /** Issues a token as Google does to a browser. */
  issue(token: IssuedToken): string;
  /** Queues faults: each further request gets the next one, and requests after the last succeed. */
  suffer(...troubles: RecaptchaTrouble[]): void;
  /** Returns the number of requests received. */
  requests(): number;
}

/** Google's verification on loopback, as its documentation describes it: right secret, each token once. */
export async function startRecaptcha(secret: string): Promise<RecaptchaStandIn> {
  const issued = new Map<string, IssuedToken>();
  const troubles: RecaptchaTrouble[] = [];
  let requests = 0;

  const judge = (form: URLSearchParams): object => {
    if (form.get('secret') !== secret) return { success: false, 'error-codes': ['invalid-input-secret'] };
    const token = form.get('response') ?? '';
    const known = issued.get(token);
    if (!known) return { success: false, 'error-codes': ['timeout-or-duplicate'] };
    issued.delete(token);
    return { success: true, challenge_ts: new Date().toISOString(), ...known };
  };

  const server = createServer(async (request, response) => {
    requests += 1;
    const form = await readForm(request);
    const trouble = troubles.shift();
    if (trouble) return fail(response, trouble, () => judge(form));
    return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(judge(form)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    verifyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/recaptcha/api/siteverify`,
    issue(token) {
      const name = randomUUID();
      issued.set(name, token);
      return name;
    },
    suffer: (...more) => void troubles.push(...more),
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return new URLSearchParams(isForm && request.method === 'POST' ? await text(request) : '');
}

function fail(response: ServerResponse, trouble: RecaptchaTrouble, judge: () => object): void {
  if (trouble === 'overloaded') response.writeHead(503).end();
  if (trouble === 'moved') response.writeHead(302, { Location: '/elsewhere' }).end(JSON.stringify(judge()));
  if (trouble === 'dropped') response.destroy();
  if (trouble === 'not JSON') response.writeHead(200).end('<!doctype html>');
  if (trouble === 'cut short')
    response.writeHead(200, { 'Content-Length': 100 }).write('{"success":', () => response.destroy());
}
