/** Request bodies pass straight through a proxy: nothing is buffered or limited on the way. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import type { TestServer } from '../harness/start-server.ts';
import { fileUrl, sha256, storedNameOf } from '../harness/uploads.ts';
import { appHost, type ProxyInFront } from './proxy-in-front.ts';

export interface Proxied extends AsyncDisposable {
  readonly server: TestServer;
  readonly proxy: ProxyInFront;
}

/** Runs the tests against the proxy that `open` starts. */
export function describeUploads(open: () => Promise<Proxied>): void {
  const opened = new AsyncDisposableStack();
  let server: TestServer;
  let proxy: ProxyInFront;
  let account: SignedIn;
  beforeAll(async () => {
    ({ server, proxy } = opened.use(await open()));
    account = await signUpAndIn(server, { plan: 'power' });
  });
  afterAll(() => opened.disposeAsync());

  const head = (length: string): string =>
    `POST /api/v3/upload HTTP/1.1\r\nHost: ${appHost}\r\nX-API-Key: ${account.apiKey}\r\n${length}\r\n` +
    'Content-Type: multipart/form-data; boundary=edge\r\n\r\n';

  test('an upload is written to disk while the client still sends, and is stored at its end', async () => {
    const bytes = randomBytes(4_000_000);
    await using socket = await proxy.connect(appHost);
    const arrived = arrivedOnDisk(server, 1_000_000);
    socket.write(head('Transfer-Encoding: chunked'));
    socket.write(chunk(Buffer.concat([Buffer.from(opening), bytes.subarray(0, 2_000_000)])));
    await arrived;
    socket.write(chunk(Buffer.concat([bytes.subarray(2_000_000), Buffer.from(ending)])));
    socket.write('0\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    const [, url = ''] = /"url":"([^"]+)"/.exec(answer.toString()) ?? [];
    const stored = await fetch(fileUrl(server, storedNameOf(url)));
    expect(sha256(new Uint8Array(await stored.arrayBuffer()))).toBe(sha256(bytes));
  });

  test('an upload that is too large is refused while its body is being sent', async () => {
    await using socket = await proxy.connect(appHost);
    socket.write(head('Content-Length: 6000000000') + opening);
    const body = Readable.from(zeros());
    body.pipe(socket);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    body.unpipe(socket);
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(socket.bytesWritten).toBeLessThan(100_000_000);
  });

  test.each([
    ['HTTP/1.1', ['--http1.1']],
    ['HTTP/2', ['--http2']],
    ['HTTP/1.1 without a length', ['--http1.1', '-H', 'Transfer-Encoding: chunked']],
  ])('100 MB are uploaded whole by %s', async (_how, options) => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-upload-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const bytes = randomBytes(100_000_000);
    const path = join(folder, 'large.bin');
    await writeFile(path, bytes);
    const way = ['--cacert', proxy.certificate, '--connect-to', `${appHost}:443:127.0.0.1:${proxy.port}`, ...options];
    const form = ['-H', `X-API-Key: ${account.apiKey}`, '-F', `file=@${path}`, '-F', `sha_256=${sha256(bytes)}`];
    const { stdout } = await promisify(execFile)('curl', ['-sS', ...way, ...form, `https://${appHost}/api/v3/upload`]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
  });
}

const opening = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const ending = '\r\n--edge--\r\n';
const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

function* zeros(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(64_000);
}

/** Resolves when Holdfast has written this number of bytes of an upload in progress. */
function arrivedOnDisk({ dataDir }: TestServer, bytes: number): Promise<void> {
  const folder = join(dataDir, 'blobs', 'tmp');
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(folder, async () => {
    const names = await readdir(folder);
    const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).then(({ size }) => size)));
    if (sizes.some((size) => size >= bytes)) resolve();
  });
  return promise.finally(() => watcher.close());
}
