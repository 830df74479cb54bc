/** Request and response bodies pass straight through nginx: nothing is buffered on the way, in either direction. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha256, uploadFile } from '../harness/uploads.ts';
import { ask } from './ask.ts';
import { fileHost } from './proxy-in-front.ts';
import { type NginxInFront, settings, startNginx } from './start-nginx.ts';
import { describeUploads } from './uploads-suite.ts';

const opened = new AsyncDisposableStack();
let server: TestServer;
let nginx: NginxInFront;

beforeAll(async () => {
  server = opened.use(await startServer(settings));
  nginx = opened.use(await startNginx(server));
});
afterAll(() => opened.disposeAsync());

const collected = () => nginx.log.filter((line) => line.includes('buffered to a temporary file'));

describe('an upload through nginx', () => {
  describeUploads(async () => ({ server, proxy: nginx, async [Symbol.asyncDispose]() {} }));
});

test('nginx does not buffer a download that its client reads slowly', async () => {
  const account = await signUpAndIn(server, { plan: 'power' });
  const bytes = randomBytes(40_000_000);
  const name = await uploadFile(server, account, bytes, 'slow.bin');
  await using slow = await nginx.connect();
  slow.write(`GET /file/${name} HTTP/1.1\r\nHost: ${fileHost}\r\n\r\n`);
  await once(slow, 'data');
  slow.pause();
  const quick = await ask(nginx, `/file/${name}`, { host: fileHost });
  expect(sha256(quick.body)).toBe(sha256(bytes));
  // Of the uploads above neither.
  expect(collected()).toEqual([]);
});
