/** The clients of tus that people use go on after a killed server, a damaged piece and a conflict. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { linkHeader, tusPath } from '@holdfast/contract/src/resumable.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';
import { Upload } from 'tus-js-client';
import { describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { addUploaders, openPlace, type Place } from '../harness/place.ts';
import { startService } from '../harness/real-process.ts';
import { startServer } from '../harness/start-server.ts';
import { type TusAnswer, tusOf } from '../harness/tus.ts';
import { download, sha256, storedNameOf } from '../harness/uploads.ts';
import { startRelay } from './breaking-relay.ts';
import { appHost } from './proxy-in-front.ts';
import { settings, startNginx } from './start-nginx.ts';

const run = promisify(execFile);
const MB = 1_000_000;
/** The server stores what has arrived in steps of this size. */
const syncedBytes = 16 * 1024 * 1024;

/** Returns the port in front of the server, and the certificate there. */
type Front = (place: Place) => Promise<{ readonly port: number; readonly authority?: string }>;

const nodeAlone: Front = async ({ port }) => ({ port });
const nginx: Front = async (place) => {
  const started = await startNginx(place);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return { port: started.port, authority: started.certificate };
};

const clients = {
  'tus-js-client': [process.execPath, 'tus-js-client.ts'],
  Uppy: [process.execPath, 'uppy.ts'],
  tuspy: ['/usr/bin/python3', 'tuspy.py'],
} as const;

type Client = keyof typeof clients;

interface Source {
  readonly url: string;
  readonly apiKey: string;
  readonly path: string;
}

/** Returns the link. */
async function uploadBy(client: Client, { url, apiKey, path }: Source, env: NodeJS.ProcessEnv = programEnvironment) {
  const [program, file] = clients[client];
  const script = fileURLToPath(new URL(`tus-clients/${file}`, import.meta.url));
  const { stdout } = await run(program, [script, url + tusPath, apiKey, path], { env });
  return stdout.trim();
}

async function skipWithoutTuspy({ skip }: TestContext): Promise<void> {
  const [python] = clients.tuspy;
  await run(python, ['-c', 'import tusclient']).catch(() => skip('this machine lacks python3-tuspy'));
}

async function newFile(bytes: Buffer): Promise<{ folder: string; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-tus-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'reef.bin');
  await writeFile(path, bytes);
  return { folder, path };
}

describe.each([
  ['Node alone', nodeAlone],
  ['nginx', nginx],
])('to %s', (_what, openFront) => {
  test.for(Object.keys(clients) as Client[])(
    '%s uploads 200 MB while the server is killed',
    async (client, context) => {
      if (client === 'tuspy') await skipWithoutTuspy(context);
      const bytes = randomBytes(200 * MB);
      const { folder, path } = await newFile(bytes);
      const place = await openPlace(folder, null, openFront === nginx ? settings : {});
      const { port, authority } = await openFront(place);
      let sent = 0;
      const restarts: Promise<void>[] = [];
      await using relay = await startRelay(port, [], ({ length }) => {
        sent += length;
        if (sent < 100 * MB || restarts.length > 0) return;
        restarts.push(service.kill().then(async () => void (service = await start())));
      });
      const url = authority === undefined ? `http://127.0.0.1:${relay.port}` : `https://${appHost}`;
      const start = () => startService(place, { PUBLIC_URL: url });
      let service = await start();
      onTestFinished(() => service.kill());
      const [{ apiKey } = { apiKey: '' }] = await addUploaders(place, 1);
      const env = {
        ...programEnvironment,
        ...(authority !== undefined && {
          NODE_USE_ENV_PROXY: '1',
          https_proxy: `http://127.0.0.1:${relay.port}`,
          NODE_EXTRA_CA_CERTS: authority,
          CURL_CA_BUNDLE: authority,
        }),
      };
      const link = await uploadBy(client, { url, apiKey, path }, env);
      expect(restarts).toHaveLength(1);
      await restarts[0];
      // It goes on with the piece that was under way.
      expect(sent).toBeLessThan(264 * MB);
      const copy = join(folder, 'copy');
      await run('curl', ['-fsS', '-o', copy, link], { env });
      expect(sha256(await readFile(copy))).toBe(sha256(bytes));
    },
  );
});

test('tuspy sends a piece again that was damaged on the way', async (context) => {
  await skipWithoutTuspy(context);
  const bytes = randomBytes(3 * MB);
  const { path } = await newFile(bytes);
  await using server = await startServer();
  const { apiKey } = await signUpAndIn(server, { plan: 'power' });
  let sent = 0;
  let damaged = 0;
  await using relay = await startRelay(server.port, [], (passing) => {
    sent += passing.length;
    if (sent < 1.5 * MB || damaged > 0) return;
    damaged = passing.writeUInt8(passing.readUInt8(passing.length - 1) ^ 1, passing.length - 1);
  });
  const link = await uploadBy('tuspy', { url: `http://127.0.0.1:${relay.port}`, apiKey, path });
  expect(damaged).toBeGreaterThan(0);
  expect(await download(server, storedNameOf(link))).toBe(sha256(bytes));
});

test('tus-js-client goes on where another client has stopped', async () => {
  const bytes = randomBytes(20_000_000);
  await using server = await startServer();
  const account = await signUpAndIn(server, { plan: 'power' });
  const tus = tusOf(server, account);
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  let other: Promise<TusAnswer> | undefined;
  const sendFirst = async (path: string) => {
    other = tus.send(path, 0, readable);
    void writer.write(bytes.subarray(0, syncedBytes));
    await expect.poll(async () => (await tus.head(path)).offset).toBe(syncedBytes);
  };
  const statuses: number[] = [];
  const link = await new Promise<string>((resolve, reject) => {
    new Upload(bytes, {
      endpoint: server.url + tusPath,
      headers: { 'X-API-Key': account.apiKey },
      metadata: { filename: 'reef.bin' },
      retryDelays: Array.from({ length: 100 }, () => 10),
      async onBeforeRequest(request) {
        if (request.getMethod() === 'PATCH' && !other) await sendFirst(new URL(request.getURL()).pathname);
      },
      onAfterResponse(request, response) {
        if (request.getMethod() === 'PATCH') statuses.push(response.getStatus());
        if (response.getStatus() === 423) void writer.close().catch(() => {});
      },
      onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader(linkHeader) ?? ''),
      onError: reject,
    }).start();
  });
  expect(await other).toMatchObject({ status: 204, offset: syncedBytes });
  expect([statuses[0], statuses[1], statuses.at(-1)]).toEqual([409, 423, 204]);
  expect(await download(server, storedNameOf(link))).toBe(sha256(bytes));
});
