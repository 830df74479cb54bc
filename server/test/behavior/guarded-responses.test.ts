/** Headers of every kind of response, whichever part of the server sends it. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const app = 'app.example';
const files = 'files.example';

/** NAME stands for a stored file. */
const kinds: readonly (readonly [what: string, host: string, request: string, status: number])[] = [
  ['a page', app, 'GET /', 200],
  ['a page that does not exist', app, 'GET /no/such', 404],
  ['a redirect to a page', app, 'GET /FAQs/', 308],
  ['a redirect to the change of a password', app, 'GET /.well-known/change-password', 302],
  ['the redirect to a payment', app, 'GET /api/stripe/subscription', 303],
  ['the robots of the app', app, 'GET /robots.txt', 200],
  ['the sitemap', app, 'GET /sitemap.xml', 200],
  ['the manifest', app, 'GET /site.webmanifest', 200],
  ['the redirect of shared files', app, 'POST /share', 303],
  ['the API as OpenAPI', app, 'GET /openapi.json', 200],
  ['an asset that does not exist', app, 'GET /assets/no.js', 404],
  ['a folder of assets', app, 'GET /assets/', 404],
  ['a call', app, 'GET /api/v3/session/server-info', 200],
  ['a call without credentials', app, 'GET /api/v3/rest/get-file-list', 401],
  ['a call that does not exist', app, 'GET /api/v3/no', 404],
  ['a wrong method', app, 'PUT /', 405],
  ['a preflight of a call', app, 'OPTIONS /api/v3/upload', 204],
  ['a path that cannot be decoded', app, 'GET /%zz', 400],
  ['a link on the host of the app', app, 'GET /file/NAME', 307],
  ['a link', files, 'GET /file/NAME', 200],
  ['the head of a link', files, 'HEAD /file/NAME', 200],
  ['a digest', files, 'GET /file/NAME.sha256', 200],
  ['a link that does not exist', files, 'GET /file/nosuchfile', 404],
  ['a preflight of a link', files, 'OPTIONS /file/NAME', 204],
  ['a wrong method of a link', files, 'POST /file/NAME', 405],
  ['a page on the host of files', files, 'GET /', 404],
  ['the robots of the host of files', files, 'GET /robots.txt', 200],
  ['a speed test of no plan', files, 'GET /speed-test/250MB.bin?tier=none', 400],
  ['an unknown host', 'evil.example', 'GET /', 421],
  ['no HTTP', app, 'GARBAGE', 400],
  ['headers that are too large', `${app}\r\nX-Large: ${'x'.repeat(20_000)}`, 'GET /', 431],
];

test('every kind of response over HTTPS has HSTS, nosniff and a policy', async () => {
  await using server = await startServer({ PUBLIC_URL: `https://${app}`, FILE_ORIGINS: `https://${files}` });
  const name = await uploadFile(server, await signUpAndIn(server));
  for (const [what, host, request, status] of kinds) {
    const socket = connect(server.port, '127.0.0.1');
    const line = request === 'GARBAGE' ? request : `${request.replace('NAME', name)} HTTP/1.1`;
    socket.write(`${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const [head = ''] = (await text(socket)).split('\r\n\r\n', 1);
    expect(head, what).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    for (const header of [
      /^Strict-Transport-Security: max-age=31536000\r?$/gim,
      /^X-Content-Type-Options: nosniff\r?$/gim,
      /^Content-Security-Policy: default-src .+\r?$/gim,
    ])
      expect(head.match(header), `${what}: ${header.source}`).toHaveLength(1);
    // Any site may show a public file in a frame. Its policy makes it a sandbox.
    expect(head, what).toMatch(/; frame-ancestors 'none'|; sandbox/);
  }
});

test('HTTP has no HSTS', async ({ server }) => {
  for (const path of ['/', '/api/v3/session/server-info', '/file/nosuchfile', '/robots.txt'])
    expect((await fetch(server.url + path)).headers.get('Strict-Transport-Security'), path).toBeNull();
});
