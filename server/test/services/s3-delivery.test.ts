/** Bytes from an S3 store to people: through Holdfast, through nginx with a cache, and from the store itself. */
import { CreateBucketCommand, DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RgwServer, startRgw } from '@holdfast/test-support/start-rgw.ts';
import { connectTo, type Front } from '../delivery/front.ts';
import { describeDelivery } from '../delivery/suite.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { blocksOf } from '../harness/documented-blocks.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, formWith, sha256, uploadFile } from '../harness/uploads.ts';
import { ask } from './ask.ts';
import { fileHost } from './proxy-in-front.ts';
import { type NginxInFront, settings, startNginx } from './start-nginx.ts';
import { startTamperingStore, type TamperingStore } from './tampering-store.ts';

const bucket = 'holdfast';
const opened = new AsyncDisposableStack();
let rgw: RgwServer;
/** Counts what reaches the store. */
let store: TamperingStore;
let client: S3Client;

beforeAll(async () => {
  rgw = opened.use(await startRgw());
  store = opened.use(await startTamperingStore(rgw.endpoint));
  Object.assign(process.env, rgw.credentials);
  client = new S3Client({ region: 'us-east-1', endpoint: rgw.endpoint, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
}, 120_000);
afterAll(() => opened.disposeAsync());

const onStore = () => ({
  BLOBS_URL: `s3://${bucket}/${randomBytes(8).toString('hex')}?endpoint=${encodeURIComponent(store.endpoint)}`,
});

/** The configuration of docs/installation.md with the blocks of docs/s3.md in the places that the page names. */
function forStore(configuration: string): string {
  const [cache, locations] = blocksOf('docs/s3.md').filter(({ language }) => language === 'nginx');
  if (!cache || !locations) throw new Error('docs/s3.md must have the two blocks for nginx');
  const [folder = ''] = /(?<=client_body_temp_path )\S+(?=\/client_body)/.exec(configuration) ?? [];
  return configuration
    .replace('http {', `http {\n${cache.text.replace('/var/cache/nginx/holdfast', `${folder}/cache`)}`)
    .replace(/ +# Holdfast responds to a download with X-Accel-Redirect[^]*?(?= {8}location @unreadable)/, '')
    .replace(
      / +location @unreadable \{[^]*?\n {8}\}\n/,
      locations.text.replace('https://s3.example.com', store.endpoint),
    );
}

interface Accelerated extends AsyncDisposable {
  readonly server: TestServer;
  readonly nginx: NginxInFront;
}

async function startAccelerated(): Promise<Accelerated> {
  await using undo = new AsyncDisposableStack();
  const server = undo.use(await startServer({ ...settings, ...onStore(), ACCEL: 'nginx' }));
  const nginx = undo.use(await startNginx(server, { edit: forStore }));
  const moved = undo.move();
  return { server, nginx, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

const refused = new Set(['If-None-Match in two lines']);

describe('Holdfast sends the bytes', () => {
  describeDelivery(async (): Promise<Front> => {
    const server = await startServer(onStore());
    return {
      server,
      connect: () => connectTo(server.port),
      host: 'localhost',
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  });
});

describe('nginx sends the bytes', () => {
  describeDelivery(async (): Promise<Front> => {
    const accelerated = await startAccelerated();
    return {
      server: accelerated.server,
      connect: () => accelerated.nginx.connect(fileHost),
      host: fileHost,
      [Symbol.asyncDispose]: () => accelerated[Symbol.asyncDispose](),
    };
  }, refused);
});

test.each([
  ['hangs', () => rgw.freeze()],
  [
    'asks everybody to slow down',
    async () => store.treat(() => ({ status: 503, body: '<Error><Code>SlowDown</Code></Error>' })),
  ],
])(
  'while the store %s, uploads and downloads get 503 with Retry-After, and every other call works',
  async (_how, fail) => {
    await using server = await startServer(onStore());
    const account = await signUpAndIn(server, { plan: 'power' });
    const name = await uploadFile(server, account, new Uint8Array(randomBytes(300_000)), 'a.zip');
    await fail();
    try {
      for (const size of [3_000, 9_000_000]) {
        const body = formWith(new Uint8Array(randomBytes(size)), 'b.zip');
        const headers = { 'X-API-Key': account.apiKey };
        const upload = await fetch(`${server.url}/api/v3/upload`, { method: 'POST', headers, body });
        expect([upload.status, upload.headers.get('Retry-After')]).toEqual([503, '2']);
      }
      const download = await fetch(fileUrl(server, name));
      expect([download.status, download.headers.get('Retry-After')]).toEqual([503, '2']);
      expect((await account.byKey.getFileList({ query: {} })).files).toMatchObject([{ name }]);
    } finally {
      rgw.thaw();
      store.treat(() => 'pass');
    }
    await expect.poll(async () => (await fetch(fileUrl(server, name))).status).toBe(200);
  },
);

const gets = () => store.asked.filter((line) => line.startsWith('GET') && line.includes('X-Amz-Signature'));

describe('through nginx', () => {
  test('a second download, and a part, come from the cache, also under the name of another file of the same bytes', async () => {
    await using accelerated = await startAccelerated();
    const { server, nginx } = accelerated;
    const account = await signUpAndIn(server, { plan: 'power' });
    const bytes = new Uint8Array(randomBytes(3_300_000));
    const [one, other] = [
      await uploadFile(server, account, bytes, 'a.zip'),
      await uploadFile(server, account, bytes, 'b.bin'),
    ];
    const [before, asked] = [gets().length, store.asked.length];
    const first = await ask(nginx, `/file/${one}`, { host: fileHost });
    expect([first.status, sha256(first.body)]).toEqual([200, sha256(bytes)]);
    // Four slices of a megabyte.
    expect(gets().length).toBe(before + 4);
    const again = await ask(nginx, `/file/${other}`, { host: fileHost });
    expect([again.status, sha256(again.body)]).toEqual([200, sha256(bytes)]);
    expect(again.header('content-disposition')).toContain('b.bin');
    const part = await ask(nginx, `/file/${one}`, { host: fileHost, headers: { Range: 'bytes=1000000-1999999' } });
    expect([part.status, sha256(part.body)]).toEqual([206, sha256(bytes.subarray(1_000_000, 2_000_000))]);
    expect(gets().length).toBe(before + 4);
    expect(store.asked.slice(asked).filter((line) => line.startsWith('HEAD') && line.includes('/blobs/'))).toEqual([]);
    // A deleted file is gone, although the cache has its bytes.
    await account.byKey.deleteFiles({ body: { files: [one] } });
    expect((await ask(nginx, `/file/${one}`, { host: fileHost })).status).toBe(404);
    expect((await ask(nginx, `/file/${other}`, { host: fileHost })).status).toBe(200);
  });

  test('the cache keeps files of a better plan longer', async () => {
    await using accelerated = await startAccelerated();
    const { server, nginx } = accelerated;
    for (const plan of ['free', 'power'] as const) {
      const name = await uploadFile(server, await signUpAndIn(server, { plan }), new Uint8Array(randomBytes(200_000)));
      expect((await ask(nginx, `/file/${name}`, { host: fileHost })).status).toBe(200);
    }
    await expect.poll(() => daysKept(join(dirname(nginx.accessLog), 'cache'))).toEqual([15, 27]);
  });

  test('a lost object is a 500, a store that is away a 503 unless the cache has the bytes, and no header of the store is shown', async () => {
    await using accelerated = await startAccelerated();
    const { server, nginx } = accelerated;
    const account = await signUpAndIn(server, { plan: 'power' });
    const kept = await uploadFile(server, account, new Uint8Array(randomBytes(200_000)), 'kept.zip');
    const lost = await uploadFile(server, account, new Uint8Array(randomBytes(200_000)), 'lost.zip');
    const other = await uploadFile(server, account, new Uint8Array(randomBytes(200_000)), 'other.zip');
    const whole = await ask(nginx, `/file/${kept}`, { host: fileHost });
    expect(whole.status).toBe(200);
    expect(whole.headers.filter(([header]) => /amz|rgw|cache/i.test(header) && header !== 'cache-control')).toEqual([]);
    const { blob_id } = await server.context.db
      .selectFrom('files')
      .select('blob_id')
      .where('name', '=', lost)
      .executeTakeFirstOrThrow();
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: server.context.blobs.pathOf(blob_id) }));
    expect((await ask(nginx, `/file/${lost}`, { host: fileHost })).status).toBe(500);
    await rgw.stop();
    try {
      const away = await ask(nginx, `/file/${other}`, { host: fileHost });
      expect([away.status, away.header('retry-after')]).toEqual([503, '5']);
      expect((await ask(nginx, `/file/${kept}`, { host: fileHost })).status).toBe(200);
    } finally {
      await rgw.start();
    }
    expect((await ask(nginx, `/file/${other}`, { host: fileHost })).status).toBe(200);
  });
});

/** The header of a file in the cache of nginx has the second of its end at byte 8, and that of its response at byte 40. */
async function daysKept(cache: string): Promise<readonly number[]> {
  const entries = await readdir(cache, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /^[0-9a-f]{32}$/.test(entry.name));
  const headers = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
  const days = headers.map((header) => Number(header.readBigInt64LE(8) - header.readBigInt64LE(40)) / 86_400);
  return days.map(Math.round).toSorted((a, b) => a - b);
}

describe('from the store', () => {
  test('a large download without a limit of speed is redirected, with its name, its type and its range', async () => {
    await using server = await startServer({ ...onStore(), DELIVERY: 'redirect' });
    const account = await signUpAndIn(server, { plan: 'power' });
    const bytes = new Uint8Array(randomBytes(300_000));
    const name = await uploadFile(server, account, bytes, 'größe.zip');
    const answer = await fetch(fileUrl(server, name), { redirect: 'manual' });
    expect([answer.status, answer.headers.get('Cache-Control'), answer.headers.get('ETag')]).toEqual([
      302,
      'no-store',
      null,
    ]);
    const whole = await fetch(fileUrl(server, name));
    expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256(bytes));
    const head = await fetch(fileUrl(server, name), { method: 'HEAD', redirect: 'manual' });
    expect(head.status).toBe(200);
    for (const header of ['Content-Type', 'Content-Disposition', 'Content-Length'])
      expect(whole.headers.get(header), header).toBe(head.headers.get(header));
    const part = await fetch(fileUrl(server, name), { headers: { Range: 'bytes=5-14' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, Buffer.from(bytes.subarray(5, 15))]);
    await server.hits.flush();
    expect((await account.byKey.getFileList({ query: {} })).files).toMatchObject([{ hits: 1 }]);
  });

  test.each([
    ['a plan with a limit of speed', 'free', 300_000, {}],
    ['a small file', 'power', 100_000, {}],
    [
      'a condition that the store would judge by its own time',
      'power',
      300_000,
      { 'If-Modified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
    ],
    ['several ranges', 'power', 300_000, { Range: 'bytes=0-1,5-6' }],
  ] as const)('%s is not redirected', async (_what, plan, size, headers) => {
    await using server = await startServer({ ...onStore(), DELIVERY: 'redirect' });
    const name = await uploadFile(
      server,
      await signUpAndIn(server, { plan }),
      new Uint8Array(randomBytes(size)),
      'a.zip',
    );
    const answer = await fetch(fileUrl(server, name), { redirect: 'manual', headers });
    expect(answer.status).toBeLessThan(300);
    await answer.body?.cancel();
  });
});
