/** A site that is not ours, on its own origin. */
import type { Page } from '@playwright/test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OtherSite extends AsyncDisposable {
  readonly url: string;
  /** Serves a file from now on, with no protection except an optional content security policy. Returns its address. */
  put(path: string, contentType: string, body: string | Uint8Array, policy?: string): string;
  /** Opens a page of the site. */
  show(page: Page, body: string): Promise<void>;
  /** Requested addresses below `/told`, where scripts report that they ran. */
  readonly told: readonly string[];
}

export async function openOtherSite(): Promise<OtherSite> {
  const served = new Map<string, { readonly headers: Record<string, string>; readonly body: string | Uint8Array }>();
  const told: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/told')) told.push(path);
    const found = served.get(decodeURI(path));
    response.writeHead(found ? 200 : 204, found?.headers ?? { 'Content-Type': 'text/plain' });
    response.end(found?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const put: OtherSite['put'] = (path, contentType, body, policy) => {
    const rules = policy === undefined ? {} : { 'Content-Security-Policy': policy };
    // Without nosniff, Firefox would treat a page that begins like a video as a video.
    const type = { 'Content-Type': contentType, 'X-Content-Type-Options': 'nosniff' };
    served.set(path, { headers: { ...type, ...rules }, body });
    return `${url}${encodeURI(path)}`;
  };
  return {
    url,
    told,
    put,
    async show(page, body) {
      await page.goto(put('/page', 'text/html; charset=utf-8', `<!doctype html><body>${body}`));
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
