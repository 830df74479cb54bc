import Fastify from 'fastify';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { compressAssets } from '../../../scripts/compress-assets.mjs';
import { respondNotFound } from '../../src/http/fallbacks.ts';
import { serveWebApp } from '../../src/site/web-app.ts';
import { startServer } from '../harness/start-server.ts';

const script = `const answers = [${'"the same again", '.repeat(200)}];\n`;
const font = Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * at * 31) % 251));

const html = `<head><title>Holdfast</title><script id="site">HOLDFAST_SITE</script></head><!-- checking --><p>Checking</p>
<!-- /checking -->${'<p>HOLDFAST_NONCE</p>'.repeat(100)}`;

/** The build's manifest of its scripts. */
const chunks = {
  'index.html': { file: 'assets/index-1.js', isEntry: true },
  _card: { file: 'assets/card-1.js', imports: ['index.html', '_line'] },
  _line: { file: 'assets/line-1.js', imports: ['_card'] },
  _account: { file: 'assets/account-1.js', name: 'fetch-account', imports: ['index.html', '_card'] },
  'src/layouts/dashboard/DashboardLayout.tsx': { file: 'assets/shell-1.js', imports: ['index.html'] },
  'src/pages/home/HomePage.tsx': { file: 'assets/home-1.js', imports: ['index.html', '_card'] },
  'src/pages/faqs/FaqsPage.tsx': { file: 'assets/faqs-1.js', imports: ['_line'] },
  'src/pages/faqs/Answers.tsx': { file: 'assets/answers-1.js' },
  'src/pages/sign-in/SignInPage.tsx': { file: 'assets/sign-in-1.js' },
  'src/pages/not-found/NotFoundPage.tsx': { file: 'assets/not-found-1.js' },
  'src/pages/dashboard/usage/UsagePage.tsx': { file: 'assets/usage-1.js', imports: ['_card'] },
  'src/pages/dashboard/upload-files/UploadFilesPage.tsx': { file: 'assets/upload-1.js' },
};

/** A built web app in its own folder, served by the product's own code. */
async function serveBuilt(environment: Record<string, string> = {}) {
  const opened = new AsyncDisposableStack();
  const server = opened.use(await startServer(environment));
  const dist = await mkdtemp(join(tmpdir(), 'holdfast-dist-'));
  opened.defer(() => rm(dist, { recursive: true, force: true }));
  await mkdir(join(dist, 'assets'));
  await writeFile(join(dist, 'index.html'), html);
  await writeFile(join(dist, 'pages.json'), JSON.stringify(chunks));
  await writeFile(join(dist, 'theme.js'), script);
  await writeFile(join(dist, 'favicon.svg'), `<svg>${'<g/>'.repeat(500)}</svg>`);
  await writeFile(join(dist, 'assets', 'index-1.js'), script);
  await writeFile(join(dist, 'assets', 'font-1.woff2'), font);
  await writeFile(join(dist, 'assets', 'tiny-1.js'), 'a');
  compressAssets(dist);
  const app = Fastify();
  opened.defer(() => app.close());
  app.setErrorHandler((error, _request, reply) => reply.code(500).send({ unexpected: String(error) }));
  app.setNotFoundHandler(respondNotFound);
  await serveWebApp(app, server.context, dist);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const held = opened.move();
  const { port } = new URL(server.context.config.origins.app);
  const session = { Cookie: `holdfast-session-${port}=kelp` };
  return { dist, url, session, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Returns the response as it goes over the wire: `fetch` decompresses, and requests encodings on its own. */
async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(url, { headers, method, agent: false }, resolve).on('error', reject).end();
  const answer = await promise;
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

function expectNoFile({ status, headers, body }: Awaited<ReturnType<typeof ask>>): void {
  expect({ status, ...headers }).toMatchObject({
    status: 404,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': String(body.length),
  });
  expect(JSON.parse(body.toString())).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
  for (const name of ['content-encoding', 'etag', 'last-modified', 'accept-ranges'])
    expect(headers[name], name).toBeUndefined();
}

const site = await serveBuilt();
afterAll(() => site[Symbol.asyncDispose]());

test.each([
  ['br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['*', 'gzip', gunzipSync],
] as const)('a client that accepts %j gets a script as %s', async (accepted, encoding, decompress) => {
  for (const path of ['/assets/index-1.js', '/theme.js']) {
    const answer = await ask(site.url + path, { 'Accept-Encoding': accepted });
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-encoding': encoding,
        'content-type': 'application/javascript; charset=utf-8',
        'content-length': String(answer.body.length),
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
      },
    });
    expect(decompress(answer.body).toString()).toBe(script);
    expect(answer.body.length).toBeLessThan(script.length / 5);
    const head = await ask(site.url + path, { 'Accept-Encoding': accepted }, 'HEAD');
    expect(head.headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(answer.body.length) });
  }
});

test.each([
  {},
  { 'Accept-Encoding': 'identity' },
  { 'Accept-Encoding': 'br;q=0, gzip;q=0' },
  { 'Accept-Encoding': 'zstd' },
])('a client that sends %j gets a script uncompressed', async (headers) => {
  const answer = await ask(`${site.url}/assets/index-1.js`, headers);
  expect(answer).toMatchObject({ status: 200, headers: { vary: 'accept-encoding' } });
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(answer.body.toString()).toBe(script);
});

test('each encoding has its own ETag, which gives 304 for that encoding only', async () => {
  const url = `${site.url}/assets/index-1.js`;
  const encodings = ['br', 'gzip', 'identity'];
  const tags: string[] = [];
  for (const encoding of encodings) tags.push(String((await ask(url, { 'Accept-Encoding': encoding })).headers.etag));
  expect(new Set(tags).size).toBe(3);
  for (const [at, encoding] of encodings.entries()) {
    const same = await ask(url, { 'Accept-Encoding': encoding, 'If-None-Match': String(tags[at]) });
    expect(same).toMatchObject({
      status: 304,
      body: { length: 0 },
      headers: { etag: tags[at], vary: 'accept-encoding' },
    });
    const other = await ask(url, { 'Accept-Encoding': encoding, 'If-None-Match': String(tags[(at + 1) % 3]) });
    expect(other.status).toBe(200);
  }
});

test('pages are sent uncompressed', async () => {
  const answer = await ask(`${site.url}/`, { 'Accept-Encoding': 'gzip, br' });
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(answer.body.toString()).toContain('<title>Home · Holdfast</title>');
});

const preloadsIn = (answer: { body: Buffer }) =>
  [
    ...answer.body.toString().matchAll(/<link rel="modulepreload" crossorigin href="\/assets\/([a-z-]+)-1\.js" \/>/g),
  ].map(([, name]) => name);

test.each([
  ['/', ['home', 'card', 'line']],
  ['/faqs', ['faqs', 'line', 'card']],
  ['/no/such/page', ['not-found']],
  ['/dashboard', ['sign-in']],
  ['/dashboard/usage', ['sign-in']],
  ['/about-us', []],
])('the head of %s preloads each script that the page needs once', async (path, names) => {
  expect(preloadsIn(await ask(site.url + path))).toEqual(names);
});

test.each([
  ['/dashboard', ['shell', 'upload', 'account', 'card', 'line']],
  ['/dashboard/usage', ['shell', 'usage', 'card', 'line', 'account']],
  ['/no/such/page', ['not-found', 'account', 'card', 'line']],
])('a page with a session preloads the scripts of %s and of the session check', async (path, names) => {
  expect(preloadsIn(await ask(site.url + path, site.session))).toEqual(names);
});

test.each([
  ['/faqs/', '/faqs'],
  ['/About-Us', '/about-us'],
  ['/DASHBOARD/usage//?page=2', '/dashboard/usage?page=2'],
])('%s redirects to the normalized page', async (path, meant) => {
  const { status, headers } = await ask(site.url + path);
  expect({ status, location: headers.location }).toEqual({ status: 308, location: meant });
});

test.each(['/no/such/', '//faqs', '//example.com/faqs/'])('%s is not found and not redirected', async (path) => {
  expect((await ask(site.url + path)).status).toBe(404);
});

test('the settings of the operator are in the page, where they cannot end its script', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-own-site-'));
  await using _removed = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
  await writeFile(join(folder, 'site.json'), '{ "title": "</script><script>" }');
  await writeFile(join(folder, 'privacy.md'), '# Your data\n\n## All\n\nIt stays here.\n');
  await using own = await serveBuilt({
    SITE_SINCE: '2019',
    SITE_CLAIMS: join(folder, 'site.json'),
    PRICING: 'off',
    DEFAULT_PLAN: 'house',
    POLICIES_DIR: folder,
  });
  const { body } = await ask(own.url);
  const [, facts = ''] = /<script id="site">(.*?)<\/script>/.exec(body.toString()) ?? [];
  expect(JSON.parse(facts)).toMatchObject({
    since: 2019,
    claims: { title: '</script><script>' },
    pricing: false,
    defaultPlan: 'house',
    fileOrigins: expect.arrayContaining([expect.stringMatching(/^http:/)]),
    policyTitles: { '/privacy-policy': 'Your data' },
  });
  expect(facts).not.toContain('It stays here');
  expect((await ask(`${own.url}/plan-pricing`)).status).toBe(404);
  expect(preloadsIn(await ask(`${own.url}/plan-pricing`))).toEqual(['not-found']);
});

test('a page says whether the request had a session cookie, valid or not', async () => {
  const factsFor = async (headers: Record<string, string>) => {
    const { body } = await ask(site.url, headers);
    return JSON.parse(/<script id="site">(.*?)<\/script>/.exec(body.toString())?.[1] ?? '') as object;
  };
  expect(await factsFor({})).toMatchObject({ mayBeSignedIn: false });
  expect(await factsFor(site.session)).toMatchObject({ mayBeSignedIn: true });
  expect(await factsFor({ Cookie: 'theme=dark; session=kelp' })).toMatchObject({ mayBeSignedIn: false });
});

test('a page for a session cookie shows from its first byte that the session is checked', async () => {
  expect((await ask(site.url, site.session)).body.toString()).toContain('<p>Checking</p>');
  expect((await ask(site.url)).body.toString()).not.toContain('hecking');
});

test.each([
  ['/favicon.svg', 'image/svg+xml; charset=utf-8'],
  ['/theme.js', 'application/javascript; charset=utf-8'],
  ['/assets/font-1.woff2', 'font/woff2'],
])('%s has the content type %s, also compressed', async (path, type) => {
  for (const headers of [{}, { 'Accept-Encoding': 'br' }])
    expect((await ask(site.url + path, headers)).headers['content-type']).toBe(type);
});

test('a file without a hash in its name is cached for an hour, also compressed', async () => {
  for (const path of ['/theme.js', '/favicon.svg'])
    for (const headers of [{}, { 'Accept-Encoding': 'br' }])
      expect((await ask(site.url + path, headers)).headers['cache-control'], path).toBe('public, max-age=3600');
  expect((await ask(`${site.url}/assets/index-1.js`)).headers['cache-control']).toBe(
    'public, max-age=31536000, immutable',
  );
});

test('a file that a new build removed is a plain 404', async () => {
  await using old = await serveBuilt();
  const gone = async (path: string, headers = {}) => expectNoFile(await ask(old.url + path, headers));
  await gone('/assets/index-0.js', { 'Accept-Encoding': 'br' });
  await gone('/assets//index-1.js');
  await rm(join(old.dist, 'assets', 'index-1.js'));
  await gone('/assets/index-1.js');
  await rm(old.dist, { recursive: true });
  for (const path of ['/assets/font-1.woff2', '/theme.js', '/favicon.svg']) {
    await gone(path);
    await gone(path, { 'Accept-Encoding': 'gzip, br' });
  }
});

test.each(['/assets/', '/assets//', '/assets/.env', '/assets/a%2fb', '/assets/%00'])(
  '%s, which can never be a file, is a plain 404',
  async (path) => {
    expectNoFile(await ask(site.url + path));
    expectNoFile(await ask(site.url + path, { 'Accept-Encoding': 'gzip, br' }));
  },
);

test('a page contains the offers, but no secret', async () => {
  const factsOf = async (environment: Record<string, string>) => {
    await using own = await serveBuilt(environment);
    const { body } = await ask(own.url);
    return body.toString();
  };
  expect(await factsOf({})).toContain('"offers":[]');
  const page = await factsOf({
    STRIPE_SECRET_KEY: 'sk_test_hidden',
    STRIPE_WEBHOOK_SECRET: 'whsec_hidden',
    STRIPE_PRICES: 'basic_yearly=price_hidden,power_monthly=price_other,basic_yearly=price_old',
  });
  expect(page).toContain('"offers":["basic_yearly","power_monthly"]');
  expect(page).not.toMatch(/hidden|price_/);
});
