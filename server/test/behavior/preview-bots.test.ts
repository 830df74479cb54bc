import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

const discord = { 'User-Agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' };
const browser = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
};

test.each([discord['User-Agent'], 'Slackbot-LinkExpanding 1.0', 'TelegramBot (like TwitterBot)', 'WhatsApp/2.23'])(
  'the fetches of %s are accesses but no hits, and with no-count neither',
  async (agent) => {
    await using server = await startServer();
    const account = await signUpAndIn(server);
    const name = await uploadFile(server, account, 'hello', 'a.png');
    const counts = async () => {
      await server.hits.flush();
      const { files } = await account.byKey.getFileList({ query: {} });
      return files.map(({ hits, last_accessed }) => [hits, last_accessed !== null]);
    };
    const fetchBoth = async (path: string) => {
      expect((await call(server, path, { headers: { 'User-Agent': agent } })).text).toBe('hello');
      const part = await call(server, path, { headers: { 'User-Agent': agent, Range: 'bytes=1-' } });
      expect(part).toMatchObject({ status: 206, text: 'ello' });
    };
    await fetchBoth(`/file/${name}.png?no-count=true`);
    expect(await counts()).toEqual([[0, false]]);
    for (const path of [`/file/${name}`, `/file/${name}.png`, `/file/${name}?x=1`]) await fetchBoth(path);
    expect(await counts()).toEqual([[0, true]]);
    await call(server, `/file/${name}`, { headers: browser });
    expect(await counts()).toEqual([[1, true]]);
  },
);

test('with ACCEL a bot gets its burst from this process, and nginx sends everything else', async () => {
  await using server = await startServer({ ACCEL: 'nginx', DOWNLOAD_BURST: '15 KB' });
  const account = await signUpAndIn(server);
  const handedOver = async (name: string, headers: Record<string, string>) =>
    (await call(server, `/file/${name}`, { headers })).headers.get('X-Accel-Redirect') !== null;
  const [free, unlimited] = [
    await uploadFile(server, account, 'x'.repeat(60_000), 'a.txt'),
    await uploadFile(server, await signUpAndIn(server, { plan: 'power' }), 'x', 'a.txt'),
  ];
  expect(await handedOver(free, browser)).toBe(true);
  expect([await handedOver(free, discord), await handedOver(free, discord)]).toEqual([false, true]);
  // Without a limit there is nothing to gain.
  expect(await handedOver(unlimited, discord)).toBe(true);
});
