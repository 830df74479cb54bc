import { gzipSync } from 'node:zlib';
import type { Page } from '@holdfast/test-support/open-browser.ts';

export interface Script {
  readonly path: string;
  /** Bytes of its body on the wire, whether or not the server compressed it. */
  readonly sent: number;
  /** Size of its body at gzip's best compression. */
  readonly gzip: number;
}

/** Returns every script that the browser requests until a page has settled, including those that it only preloads. */
export async function requestedScripts(page: Page, path: string): Promise<readonly Script[]> {
  const found: Promise<Script>[] = [];
  page.on('requestfinished', (request) => {
    if (!new URL(request.url()).pathname.endsWith('.js')) return;
    found.push(
      (async () => {
        const [body, sizes] = await Promise.all([
          request.response().then((response) => response?.body()),
          request.sizes(),
        ]);
        if (body === undefined || body.length === 0) throw new Error(`${request.url()} came without a body`);
        return {
          path: new URL(request.url()).pathname,
          sent: sizes.responseBodySize,
          gzip: gzipSync(body, { level: 9 }).length,
        };
      })(),
    );
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  const scripts = await Promise.all(found);
  // A preload and its import are one request; a path requested twice would count twice.
  const paths = new Set(scripts.map((script) => script.path));
  if (paths.size !== scripts.length) throw new Error(`${path} asked for a script twice`);
  return scripts;
}
