import { expect, onTestFinished, vi } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { shareServer, test } from '../harness/server-test.ts';
import { uploadFile } from '../harness/uploads.ts';

const { server: shared } = await shareServer();

const test250 = '/speed-test/250MB.bin';

test.each([
  '',
  '?tier=',
  '?tier=gold',
  '?tier=FREE',
  '?tier=free&tier=power',
  '?tier=__proto__',
  '?tier[]=free',
  '?plan=free',
])('a speed test with %j is refused, and lists the valid tiers', async (query) => {
  const answer = await call(shared, test250 + query);
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.text).toMatch(/\?tier=free or .*\?tier=power/);
});

test.each(['free', 'starter', 'basic', 'advanced', 'power'])(
  'a speed test of %s is 250,000,000 bytes',
  async (tier) => {
    const expected = {
      'content-length': '250000000',
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="250MB.bin"',
      'cache-control': 'no-store',
      'accept-ranges': 'none',
      'x-content-type-options': 'nosniff',
    };
    const head = await call(shared, `${test250}?tier=${tier}`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(Object.fromEntries(head.headers)).toMatchObject(expected);
    const get = await fetch(`${shared.url}${test250}?tier=${tier}`, { headers: { Range: 'bytes=0-9' } });
    expect(get.status).toBe(200);
    expect(Object.fromEntries(get.headers)).toMatchObject(expected);
    await get.body?.cancel();
  },
);

test('a speed test contains all byte values', async ({ server }) => {
  const answer = await fetch(`${server.url}${test250}?tier=power`);
  const seen = new Set<number>();
  for await (const chunk of answer.body ?? []) {
    for (const byte of chunk) seen.add(byte);
    if (seen.size === 256) break;
  }
  expect(seen.size).toBe(256);
});

test.each([
  ['of any client', '1 MB', {}],
  ['of a preview bot', '250 KB', { 'User-Agent': 'Discordbot/2.0' }],
])('the first bytes %s arrive without a pause', async (_whose, DOWNLOAD_BURST, headers) => {
  await using server = await startServer({ DOWNLOAD_BURST });
  const name = await uploadFile(server, await signUpAndIn(server), 'x'.repeat(1_000_000), 'a.txt');
  // A pause would last for ever.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  expect((await call(server, `/file/${name}`, { headers })).text).toHaveLength(1_000_000);
});

/** Speed tests that run until the end of the block. */
function openRuns(server: TestServer) {
  const abort = new AbortController();
  return {
    start: (headers: Record<string, string> = {}, tier = 'free') =>
      fetch(`${server.url}${test250}?tier=${tier}`, { headers, signal: abort.signal }),
    [Symbol.dispose]: () => abort.abort(),
  };
}

test('an address has two concurrent speed tests, and the next as soon as one has ended', async ({ server }) => {
  using runs = openRuns(server);
  const [first] = [await runs.start(), await runs.start()];
  const refused = await runs.start();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toBe('10');
  expect(refused.headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
  expect(await refused.text()).toMatch(/Try again in 10 seconds/);
  await first.body?.cancel();
  await expect.poll(async () => (await runs.start()).status).toBe(200);
});

test('an address has 20 speed tests at once, then one each three minutes', async () => {
  await using server = await startServer({}, { limits: 'real' });
  const run = async () => {
    const answer = await fetch(`${server.url}${test250}?tier=free`);
    await answer.body?.cancel();
    return answer;
  };
  for (let turn = 0; turn < 20; turn += 1) await expect.poll(async () => (await run()).status).toBe(200);
  await expect.poll(async () => (await run()).headers.get('Retry-After')).toBe('180');
  server.clock.advance(180_000);
  await expect.poll(async () => (await run()).status).toBe(200);
  await expect.poll(async () => (await run()).headers.get('Retry-After')).toBe('180');
});

test.each([
  ['nobody is trusted', {}, 429],
  ['this proxy is trusted', { TRUST_PROXY: '127.0.0.1' }, 200],
  ['this network is trusted', { TRUST_PROXY: '10.0.0.0/8, 127.0.0.0/8' }, 200],
  ['another proxy is trusted', { TRUST_PROXY: '10.0.0.1' }, 429],
])('when %s, X-Forwarded-For counts accordingly', async (_, environment, status) => {
  await using server = await startServer(environment);
  using runs = openRuns(server);
  const from = (address: string) => runs.start({ 'X-Forwarded-For': address });
  await from('203.0.113.1');
  await from('203.0.113.1');
  expect((await from('203.0.113.2')).status).toBe(status);
  expect((await from('203.0.113.1')).status).toBe(429);
});
