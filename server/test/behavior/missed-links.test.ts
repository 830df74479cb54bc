import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { callFrom, startLimited, statuses } from '../harness/limited-server.ts';
import { uploadFile } from '../harness/uploads.ts';

const times = (count: number, status: number) => Array.from({ length: count }, () => status);
const walker = '203.0.113.1';

test('an address that tries names gets 429 after 60, and still the links with longer names', async () => {
  await using server = await startLimited();
  const name = await uploadFile(server, await signUpAndIn(server));
  const miss = async (turn: number) => callFrom(server, walker, `/file/none${turn}`);
  expect(await statuses(62, miss)).toEqual([...times(60, 404), ...times(2, 429)]);
  const refused = await miss(63);
  expect([refused.headers.get('Retry-After'), refused.text]).toEqual(['1', expect.stringContaining('Slow down')]);
  expect(await statuses(3, async () => callFrom(server, walker, `/file/${name}`))).toEqual(times(3, 200));
  expect(await statuses(1, async () => callFrom(server, '203.0.113.2', '/file/none'))).toEqual([404]);
  server.clock.advance(1_000);
  expect(await statuses(3, miss)).toEqual([404, 404, 429]);
});

test('an address that tries names cannot tell which of the short ones exist', async () => {
  await using server = await startLimited();
  const owner = await signUpAndIn(server);
  await owner.browser.client.setAccountSettings({ body: { preferred_filename_length: 4 } });
  const name = await uploadFile(server, owner);
  expect(name).toHaveLength(4);
  const found = async () => callFrom(server, walker, `/file/${name}.txt`);
  expect(await statuses(1, found)).toEqual([200]);
  await statuses(61, async (turn) => callFrom(server, walker, `/file/a${turn}`));
  expect(await statuses(2, found)).toEqual([429, 429]);
  expect(await statuses(1, async () => callFrom(server, '203.0.113.2', `/file/${name}.txt`))).toEqual([200]);
  server.clock.advance(1_000);
  expect(await statuses(1, found)).toEqual([200]);
});

test('links that exist do not count', async () => {
  await using server = await startLimited();
  const name = await uploadFile(server, await signUpAndIn(server));
  await statuses(70, async () => callFrom(server, walker, `/file/${name}`));
  expect(await statuses(60, async () => callFrom(server, walker, '/file/none'))).toEqual(times(60, 404));
});
