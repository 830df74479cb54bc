import { type Client, createClient } from '@holdfast/contract/src/client.ts';
import type { TestServer } from './start-server.ts';

/** A person's browser as far as the API can tell: it keeps cookies and says where a request comes from. */
export interface Browser {
  readonly client: Client;
  readonly fetch: typeof globalThis.fetch;
  readonly cookies: Map<string, string>;
}

export function openBrowser(server: Pick<TestServer, 'url'>, headers: Readonly<Record<string, string>> = {}): Browser {
  const cookies = new Map<string, string>();
  const fetchWithCookies: typeof fetch = async (input, init) => {
    const request = new Request(new URL(input instanceof Request ? input.url : input, server.url), init);
    if (cookies.size > 0)
      request.headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    request.headers.set('Sec-Fetch-Site', 'same-origin');
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    const answer = await fetch(request);
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return { client: createClient(fetchWithCookies), fetch: fetchWithCookies, cookies };
}
