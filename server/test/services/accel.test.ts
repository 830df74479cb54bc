/** Responses that nginx sends on Holdfast's behalf: the same headers, and never bytes that Holdfast did not grant. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';
import { ask, type Reply } from './ask.ts';
import { fileHost } from './proxy-in-front.ts';
import { type NginxInFront, settings, startNginx } from './start-nginx.ts';

const opened = new AsyncDisposableStack();
let server: TestServer;
let nginx: NginxInFront;
let account: SignedIn;
let name: string;

beforeAll(async () => {
  server = opened.use(await startServer({ ...settings, ACCEL: 'nginx' }));
  nginx = opened.use(await startNginx(server));
  account = await signUpAndIn(server, { plan: 'power' });
  name = await uploadFile(server, account, 'hello', 'notes.txt');
});
afterAll(() => opened.disposeAsync());

/** The first four concern the connection; the others depend on the part of the file. */
const own = new Set(['date', 'server', 'connection', 'keep-alive', 'content-length', 'content-range']);
const headersOf = (answer: Reply) => answer.headers.filter(([header]) => !own.has(header));

test('Holdfast answers a download with an X-Accel-Redirect to nginx', async () => {
  const answer = await fetch(fileUrl(server, name));
  expect(answer).toMatchObject({ status: 200 });
  expect(await answer.text()).toBe('');
  expect(answer.headers.get('X-Accel-Redirect')).toMatch(/^\/blobs\/..\/..\/[0-9a-f]{32}$/);
  expect(answer.headers.get('X-Accel-Limit-Rate')).toBe('off');
});

test('a download has the headers that Holdfast itself gives to HEAD', async () => {
  const [whole, head] = [
    await ask(nginx, `/file/${name}`, { host: fileHost }),
    await ask(nginx, `/file/${name}`, { host: fileHost, method: 'HEAD' }),
  ];
  expect(whole).toMatchObject({ status: 200, body: Buffer.from('hello') });
  expect(headersOf(whole)).toEqual(headersOf(head));
  expect(whole.header('content-length')).toBe(head.header('content-length'));
});

async function pathsOfBlobs(): Promise<string[]> {
  const folder = join(server.dataDir, 'blobs');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

test('nginx evaluates no conditions itself: neither the file date nor its own tag', async () => {
  const older = await uploadFile(server, account, 'older bytes', 'older.txt');
  const written = new Date('2000-01-01T00:00:00Z');
  for (const path of await pathsOfBlobs()) await utimes(join(server.dataDir, 'blobs', path), written, written);
  const tag = `"${(written.getTime() / 1000).toString(16)}-${'older bytes'.length.toString(16)}"`;
  for (const headers of [{ 'If-Modified-Since': written.toUTCString() }, { 'If-None-Match': tag }])
    expect((await ask(nginx, `/file/${older}`, { host: fileHost, headers })).status).toBe(200);
});

test('the folder of the blobs is not served', async () => {
  const [path = ''] = await pathsOfBlobs();
  for (const address of [
    `/blobs/${path}`,
    `//blobs/${path}`,
    `/blobs//${path}`,
    `/x/../blobs/${path}`,
    `/%62lobs/${path}`,
    '/blobs/',
    '/blobs',
  ])
    expect((await ask(nginx, address, { host: fileHost })).status, address).toBe(404);
});

test('missing bytes give a 500 and are named in the log of Holdfast', async () => {
  const before = await pathsOfBlobs();
  const lost = await uploadFile(server, account, randomBytes(1000), 'lost.bin');
  const path = (await pathsOfBlobs()).find((each) => !before.includes(each)) ?? '';
  await rm(join(server.dataDir, 'blobs', path));
  expect((await ask(nginx, `/file/${lost}`, { host: fileHost })).status).toBe(500);
  expect(server.log.filter((line) => line.includes('ALARM')).join('\n')).toContain(path.split('/').at(-1));
});

test.runIf(process.getuid?.() === 0)(
  'what a worker of another user cannot read Holdfast sends, with an alarm',
  async () => {
    await promisify(execFile)('chown', ['-R', 'nobody', server.dataDir]);
    const head = await ask(nginx, `/file/${name}`, { host: fileHost, method: 'HEAD' });
    const alarms = () => server.log.filter((line) => line.includes('ALARM: nginx could not read')).length;
    const before = alarms();
    for (const [user, more] of [
      ['nobody nogroup', 0],
      ['www-data', 1],
    ] as const) {
      await using front = await startNginx(server, { user });
      const answer = await ask(front, `/file/${name}`, { host: fileHost });
      expect(answer, user).toMatchObject({ status: 200, body: Buffer.from('hello') });
      expect(headersOf(answer), user).toEqual(headersOf(head));
      expect(alarms(), user).toBe(before + more);
    }
    await promisify(execFile)('chown', ['-R', 'root', server.dataDir]);
  },
);

const withDownloadLimit = (text: string) => text.replaceAll(/^(\s*)#(location \/file\/|    |\})/gm, '$1$2');

test.each([
  ['requests', (text: string) => text.replace('requests 500', 'requests 1')],
  [
    'downloads, once it is uncommented,',
    (text: string) => withDownloadLimit(text).replace('downloads 8', 'downloads 1'),
  ],
])('the limit on %s works, and its 429 has HSTS, nosniff and a policy', async (_of, edit) => {
  const big = await uploadFile(server, await signUpAndIn(server), randomBytes(8_000_000), 'big.zip');
  await using front = await startNginx(server, { edit });
  const granted = await ask(front, `/file/${name}`, { host: fileHost });
  const socket = await front.connect();
  socket.write(`GET /file/${big} HTTP/1.1\r\nHost: ${fileHost}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  const refused = await ask(front, `/file/${name}`, { host: fileHost });
  expect(refused.status).toBe(429);
  for (const header of ['strict-transport-security', 'x-content-type-options'])
    expect(refused.header(header), header).toBe(granted.header(header));
  expect(refused.header('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect((await ask(front, `/file/${name}`, { host: fileHost, from: '127.0.0.77' })).status).toBe(200);
  socket.destroy();
});
