import { type Client, createClient } from '@holdfast/contract/src/client.ts';

/** A person's browser as far as the API is concerned: it keeps cookies and sends the origin of a request. */
export interface Browser {
  readonly client: Client;
  readonly fetch: typeof globalThis.fetch;
  readonly cookies: Map<string, string>;
  /** Keeps a cookie, given as the value of `Set-Cookie`, or drops it if its value is empty. */
  readonly keep: (cookie: string) => void;
}

export function openBrowser(server: { readonly url: string }, headers: Readonly<Record<string, string>> = {}): Browser {
  const cookies = new Map<string, string>();
  const keep = (cookie: string) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  };
  const fetchWithCookies: typeof fetch = async (input, init) => {
    const request = new Request(new URL(input instanceof Request ? input.url : input, server.url), init);
    if (cookies.size > 0)
      request.headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    request.headers.set('Sec-Fetch-Site', 'same-origin');
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    const answer = await fetch(request);
    answer.headers.getSetCookie().forEach(keep);
    return answer;
  };
  return { client: createClient(fetchWithCookies), fetch: fetchWithCookies, cookies, keep };
}
