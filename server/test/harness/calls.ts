import type { TestServer } from './start-server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, or undefined where it is something else. */
  readonly json: unknown;
}

export interface RawCall {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** One request as it is written here: no cookies, and no headers that a browser would add. */
export async function call(server: Pick<TestServer, 'url'>, path: string, request: RawCall = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = request;
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
