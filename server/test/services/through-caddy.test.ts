/** The Caddy of docs/self-hosting.md: downloads, uploads, and the facts about the client that it sends to Holdfast. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { describeDelivery } from '../delivery/suite.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { ask } from './ask.ts';
import { fileHost } from './proxy-in-front.ts';
import { documentedCaddyfile, documentedSettings, startCaddy } from './start-caddy.ts';
import { describeUploads, type Proxied } from './uploads-suite.ts';

async function openThroughCaddy(): Promise<Proxied> {
  const opened = new AsyncDisposableStack();
  const server = opened.use(await startServer(await documentedSettings()));
  const proxy = opened.use(await startCaddy(server, await documentedCaddyfile()));
  return { server, proxy, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

describe('a download through Caddy', () => {
  describeDelivery(async () => {
    const { server, proxy, ...closing } = await openThroughCaddy();
    return { server, connect: () => proxy.connect(fileHost), host: fileHost, ...closing };
  });
});

describe('an upload through Caddy', () => {
  describeUploads(openThroughCaddy);
});

test('the app and the files are served under their own names, and http:// redirects to https://', async () => {
  await using front = await openThroughCaddy();
  const name = await uploadFile(front.server, await signUpAndIn(front.server));
  expect((await ask(front.proxy, '/api/v3/session/server-info')).status).toBe(200);
  expect((await ask(front.proxy, '/sign-in', { host: fileHost })).status).toBe(404);
  const link = await ask(front.proxy, `/file/${name}`);
  expect([link.status, link.header('location')]).toEqual([307, `https://${fileHost}/file/${name}`]);
  const plain = await ask(front.proxy, `/file/${name}`, { host: fileHost, plain: true });
  expect(plain.status).toBe(308);
  expect(plain.header('location')).toMatch(new RegExp(`^https://${fileHost}(:\\d+)?/file/${name}$`));
});

test('Caddy replaces the facts that a client claims about itself', async () => {
  const echo = createServer(({ headers }, answer) => void answer.end(JSON.stringify(headers))).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  await using caddy = await startCaddy(echo.address() as AddressInfo, await documentedCaddyfile());
  const claims = {
    'X-Forwarded-For': '203.0.113.9',
    'X-Forwarded-Proto': 'http',
    'X-Forwarded-Host': 'other.example',
  };
  const answer = await ask(caddy, '/', { host: fileHost, headers: claims, from: '127.0.0.77' });
  expect(JSON.parse(answer.body.toString())).toMatchObject({
    host: fileHost,
    'x-forwarded-for': '127.0.0.77',
    'x-forwarded-proto': 'https',
  });
  echo.close();
});

test('Holdfast counts and logs the address of the client, not that of Caddy or one that it claims', async () => {
  await using front = await openThroughCaddy();
  const headers = { 'X-API-Key': `hf_${'a'.repeat(46)}`, 'X-Forwarded-For': '203.0.113.9' };
  await ask(front.proxy, '/api/v3/rest/get-file-list', { headers, from: '127.0.0.77' });
  const event = front.server.log.map((line) => JSON.parse(line) as object).find((line) => 'client' in line);
  expect(event).toMatchObject({ code: 'AUTH_INVALID_KEY', client: '127.0.0.77' });
});
