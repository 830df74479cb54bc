/** The programs that people use resume a broken download where it stopped. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha256, uploadFile } from '../harness/uploads.ts';
import { type Break, type Relay, startRelay } from './breaking-relay.ts';
import { type Route, runTool, type Tool } from './download-tools.ts';
import { fileHost } from './proxy-in-front.ts';
import { settings, startNginx } from './start-nginx.ts';

const MB = 1_000_000;
const bytes = randomBytes(24 * MB);
const marked = Buffer.of(bytes.readUInt8(0) ^ 0xff);

interface Way {
  readonly server: TestServer;
  /** Opens a network that breaks as planned, and the route through it to a stored file. */
  open(breaks: readonly Break[]): Promise<{ relay: Relay; routeTo: (name: string) => Route }>;
}

async function nodeAlone(opened: AsyncDisposableStack): Promise<Way> {
  const server = opened.use(await startServer());
  return {
    server,
    async open(breaks) {
      const relay = opened.use(await startRelay(server.port, breaks));
      return { relay, routeTo: (name) => ({ url: `http://127.0.0.1:${relay.port}/file/${name}` }) };
    },
  };
}

async function throughNginx(opened: AsyncDisposableStack): Promise<Way> {
  const server = opened.use(await startServer({ ...settings, ACCEL: 'nginx' }));
  const nginx = opened.use(await startNginx(server));
  return {
    server,
    async open(breaks) {
      const relay = opened.use(await startRelay(nginx.port, breaks));
      const proxy = `http://127.0.0.1:${relay.port}`;
      const routeTo = (name: string) => ({
        url: `https://${fileHost}/file/${name}`,
        proxy,
        authority: nginx.certificate,
      });
      return { relay, routeTo };
    },
  };
}

describe.each([
  ['Node alone', nodeAlone],
  ['nginx', throughNginx],
])('from %s', (_what, openWay) => {
  const opened = new AsyncDisposableStack();
  let way: Way;
  let account: SignedIn;
  let name: string;

  beforeAll(async () => {
    way = await openWay(opened);
    account = await signUpAndIn(way.server, { plan: 'power' });
    name = await uploadFile(way.server, account, bytes, 'big.bin');
  });
  afterAll(() => opened.disposeAsync());

  async function emptyFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-resume-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  test.each<[Tool, number]>([
    ['curl', 1],
    ['wget', 1],
    ['aria2c', 8],
  ])('%s resumes a download that is interrupted repeatedly', async (tool, connectionsPerRun) => {
    const cut: Break = { afterBytes: (5 * MB) / connectionsPerRun };
    const breaks = Array.from({ length: 3 * connectionsPerRun }, () => cut);
    const { relay, routeTo } = await way.open(breaks);
    const target = join(await emptyFolder(), 'big.bin');
    expect(await runTool(tool, routeTo(name), target)).not.toBe(0);
    await markFirstByte(target);
    for (let runs = 1; runs < 30 && (await runTool(tool, routeTo(name), target)) !== 0;) runs += 1;
    await expectCompletedWithTheMark(target);
    expect(relay.connections()).toBeGreaterThan(breaks.length);
  });

  test('a download is never completed with the bytes of another file', async () => {
    const other = randomBytes(24 * MB);
    const begun = await uploadFile(way.server, account, randomBytes(24 * MB), 'begun.bin');
    const { relay, routeTo } = await way.open([{ afterBytes: 6 * MB }]);
    const target = join(await emptyFolder(), 'begun.bin');
    const etag = (await fetch(`${way.server.url}/file/${begun}`, { method: 'HEAD' })).headers.get('ETag');
    expect(await runTool('curl', routeTo(begun), target)).not.toBe(0);
    const part = await readFile(target);
    expect(part.length).toBeGreaterThan(5 * MB);

    await account.byKey.deleteFiles({ body: { files: [begun] } });
    const replacement = await uploadFile(way.server, account, other, 'begun.bin');
    expect(await runTool('curl', routeTo(begun), target)).toBe(httpErrorExit);
    expect(await runTool('curl', routeTo(replacement), target, ['-H', `If-Range: ${etag}`])).toBe(notResumedExit);
    expect(sha256(await readFile(target))).toBe(sha256(part));

    const fresh = join(await emptyFolder(), 'fresh.bin');
    expect(await runTool('curl', routeTo(replacement), fresh)).toBe(0);
    expect(sha256(await readFile(fresh))).toBe(sha256(other));
    expect(relay.connections()).toBe(4);
  });
});

/** curl's exit codes: the status was 400 or above; the response was the whole file although a part was requested. */
const httpErrorExit = 22;
const notResumedExit = 33;

/** Changes a byte that has arrived: a tool that resumes keeps the change, and one that starts again repairs it. */
async function markFirstByte(target: string): Promise<void> {
  await using file = await open(target, 'r+');
  await file.write(marked, 0, 1, 0);
}

async function expectCompletedWithTheMark(target: string): Promise<void> {
  const arrived = await readFile(target);
  expect(arrived.subarray(0, 1)).toEqual(marked);
  arrived.set(bytes.subarray(0, 1));
  expect(sha256(arrived)).toBe(sha256(bytes));
}
