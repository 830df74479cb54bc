/** Assets of the previous version, which tabs that stay open over an upgrade continue to load. */
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { compressAssets } from '../../../scripts/compress-assets.mjs';
import { answerUnrouted } from '../../src/http/fallbacks.ts';
import { keepWebApp, serveWebApp } from '../../src/site/web-app.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const scriptOf = (version: number) => `const version = [${`"version ${version}", `.repeat(200)}];\n`;

/** A build with its own script beside a font that all builds share. */
async function newBuild(version: number): Promise<string> {
  const dist = await mkdtemp(join(tmpdir(), 'holdfast-dist-'));
  onTestFinished(() => rm(dist, { recursive: true, force: true }));
  await mkdir(join(dist, 'assets'));
  await writeFile(join(dist, 'index.html'), `<title>Version ${version}</title>`);
  await writeFile(join(dist, 'pages.json'), '{}');
  await writeFile(join(dist, 'assets', `page-${version}.js`), scriptOf(version));
  await writeFile(join(dist, 'assets', 'font-1.woff2'), 'a font');
  compressAssets(dist);
  return dist;
}

/** Serves a build with the product's own code, as a process does that starts on the data folder of `server`. */
async function serve(server: TestServer, dist: string) {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.setNotFoundHandler(answerUnrouted);
  await serveWebApp(app, server.context, dist);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return (path: string, init?: RequestInit) => fetch(url + path, init);
}

type Ask = Awaited<ReturnType<typeof serve>>;

/** Replaces the previous version with the next one. */
async function upgrade(server: TestServer, version: number): Promise<Ask> {
  const dist = await newBuild(version);
  const ask = await serve(server, dist);
  await keepWebApp(server.context, dist);
  return ask;
}

const statusOf = async (ask: Ask, version: number) => (await ask(`/assets/page-${version}.js`)).status;
const keptIn = ({ dataDir }: TestServer) => readdir(join(dataDir, 'web-builds'));

test('a tab of the previous version loads its assets for a day after the upgrade', async () => {
  await using server = await startServer();
  await upgrade(server, 1);
  server.clock.advance(days(30));
  const ask = await upgrade(server, 2);
  server.clock.advance(days(1) - 1);
  for (const encoding of ['br', 'gzip', 'identity']) {
    const answer = await ask('/assets/page-1.js', { headers: { 'Accept-Encoding': encoding } });
    expect(await answer.text()).toBe(scriptOf(1));
    expect({ status: answer.status, ...Object.fromEntries(answer.headers) }).toMatchObject({
      status: 200,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/javascript; charset=utf-8',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    });
  }
  expect((await ask('/assets/page-1.js', { method: 'HEAD' })).status).toBe(200);
  expect((await ask('/assets/page-1.js', { method: 'POST' })).status).toBe(405);
  server.clock.advance(1);
  const gone = await ask('/assets/page-1.js');
  expect({ status: gone.status, caching: gone.headers.get('Cache-Control') }).toEqual({
    status: 404,
    caching: 'no-store',
  });
  expect(await statusOf(ask, 2)).toBe(200);
});

test('assets of the previous version are served before the new version is copied', async () => {
  await using server = await startServer();
  await upgrade(server, 1);
  const ask = await serve(server, await newBuild(2));
  expect([await statusOf(ask, 1), await statusOf(ask, 2)]).toEqual([200, 200]);
});

test('a restart of the new version extends no period, and removes expired versions', async () => {
  await using server = await startServer();
  await upgrade(server, 1);
  await upgrade(server, 2);
  server.clock.advance(hours(23));
  expect(await statusOf(await upgrade(server, 2), 1)).toBe(200);
  server.clock.advance(hours(1));
  expect(await statusOf(await serve(server, await newBuild(2)), 1)).toBe(404);
  expect(await keptIn(server)).toHaveLength(2);
  await upgrade(server, 2);
  expect(await keptIn(server)).toHaveLength(1);
});

test('a version that is installed again is kept from its next replacement', async () => {
  await using server = await startServer();
  await upgrade(server, 1);
  await upgrade(server, 2);
  server.clock.advance(hours(20));
  expect(await statusOf(await upgrade(server, 1), 2)).toBe(200);
  server.clock.advance(hours(20));
  const ask = await upgrade(server, 3);
  server.clock.advance(hours(20));
  expect([await statusOf(ask, 1), await statusOf(ask, 2), await statusOf(ask, 3)]).toEqual([200, 404, 200]);
});

test('of many versions in a day the five newest are kept', async () => {
  await using server = await startServer();
  for (let version = 1; version <= 8; version += 1) {
    await upgrade(server, version);
    server.clock.advance(hours(1));
  }
  const ask = await upgrade(server, 9);
  const statuses: number[] = [];
  for (let version = 1; version <= 9; version += 1) statuses.push(await statusOf(ask, version));
  expect(statuses).toEqual([404, 404, 404, 200, 200, 200, 200, 200, 200]);
  expect(await keptIn(server)).toHaveLength(6);
});

test('a server whose build is deleted still serves its own assets', async () => {
  await using server = await startServer();
  const dist = await newBuild(1);
  const ask = await serve(server, dist);
  await keepWebApp(server.context, dist);
  await rm(dist, { recursive: true });
  expect(await statusOf(ask, 1)).toBe(200);
});

test('concurrent starts on one folder keep one whole copy, despite a partial copy', async () => {
  await using server = await startServer();
  const dist = await newBuild(1);
  const died = join(server.dataDir, 'web-builds', `${'a'.repeat(32)}.half`);
  await mkdir(join(died, 'assets'), { recursive: true });
  await writeFile(join(died, 'assets', 'page-0.js'), 'half a scr');
  const ask = await serve(server, dist);
  expect(await statusOf(ask, 0)).toBe(404);
  const copy = () => Promise.all(Array.from({ length: 5 }, () => keepWebApp(server.context, dist)));
  await copy();
  expect(await keptIn(server)).toHaveLength(2);
  await utimes(died, 0, 0);
  await rm(join(server.dataDir, 'web-builds'), { recursive: true });
  await mkdir(join(died, 'assets'), { recursive: true });
  await utimes(died, 0, 0);
  await copy();
  const [kept, ...others] = await keptIn(server);
  expect(others).toEqual([]);
  expect(await readdir(join(server.dataDir, 'web-builds', kept ?? '', 'assets'))).toEqual([
    'font-1.woff2',
    'page-1.js',
    'page-1.js.br',
    'page-1.js.gz',
  ]);
  expect(server.log.filter((line) => line.includes('could not be kept'))).toEqual([]);
});

test.each(['left-at', '../left-at', '..%2fleft-at', '%2e%2e/%2e%2e/secret.key', '.', '', 'page-1.js/', 'assets'])(
  'only assets are served from the copies: %j',
  async (name) => {
    await using server = await startServer();
    await upgrade(server, 1);
    const ask = await upgrade(server, 2);
    expect((await ask(`/assets/${name}`)).status).toBe(404);
  },
);

test('nothing behind a link in the place of the copies, or of one of them, is deleted or written', async () => {
  await using server = await startServer();
  const theirs = await mkdtemp(join(tmpdir(), 'holdfast-theirs-'));
  onTestFinished(() => rm(theirs, { recursive: true, force: true }));
  const kept = join(server.dataDir, 'web-builds');
  const old = join(theirs, 'b'.repeat(32));
  for (const path of [join(theirs, 'photos'), old]) {
    await mkdir(path);
    await writeFile(join(path, 'left-at'), '0');
    await utimes(path, 0, 0);
  }
  await symlink(theirs, kept);
  const ask = await upgrade(server, 1);
  expect(await statusOf(ask, 1)).toBe(200);
  expect((await readdir(theirs)).toSorted()).toEqual(['b'.repeat(32), 'photos']);
  expect(server.log.filter((line) => line.includes(`${kept} is a symbolic link`))).toHaveLength(1);

  await rm(kept);
  await rm(join(old, 'left-at'));
  await mkdir(kept);
  await symlink(old, join(kept, 'c'.repeat(32)));
  await upgrade(server, 2);
  expect(await readdir(old)).toEqual([]);
});

test('if assets cannot be kept, the server logs it and serves', async () => {
  await using server = await startServer();
  await writeFile(join(server.dataDir, 'web-builds'), 'in the way');
  const ask = await upgrade(server, 1);
  expect([await statusOf(ask, 1), await statusOf(ask, 0)]).toEqual([200, 404]);
  expect(server.log.filter((line) => line.includes('could not be kept'))).toHaveLength(1);
});
