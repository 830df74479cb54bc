/** A site that is not ours, on an origin of its own. */
import type { Page } from '@playwright/test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OtherSite extends AsyncDisposable {
  readonly url: string;
  /** Serves something from now on, without any care, and answers its address. */
  put(path: string, contentType: string, body: string | Uint8Array): string;
  /** Opens a page of the site. */
  show(page: Page, body: string): Promise<void>;
  /** The addresses below `/told` that were asked for: what scripts had to say. */
  readonly told: readonly string[];
}

export async function openOtherSite(): Promise<OtherSite> {
  const served = new Map<string, { readonly contentType: string; readonly body: string | Uint8Array }>();
  const told: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/told')) told.push(path);
    const found = served.get(decodeURI(path));
    response.writeHead(found ? 200 : 204, { 'Content-Type': found?.contentType ?? 'text/plain' });
    response.end(found?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const put: OtherSite['put'] = (path, contentType, body) => {
    served.set(path, { contentType, body });
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
