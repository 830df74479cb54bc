import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { callFrom, statuses, limitedTest as test } from '../harness/limited-server.ts';
import type { TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

const times = (count: number, status: number) => Array.from({ length: count }, () => status);
const walker = '203.0.113.1';

test('an address that tries names gets 429 after 60, and still the links with longer names', async ({ server }) => {
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

test('an address that tries names cannot tell which of the short ones exist', async ({ server }) => {
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

test('a burst of short names shows no more of them than one after the other', async ({ server }) => {
  const names = await uploadShortNames(server, 20);
  const paths = Array.from({ length: 160 }, (_, turn) =>
    turn % 8 === 7 ? (names[(turn - 7) / 8] ?? '') : `no${turn}`,
  );
  const counts = await burst(server, paths);
  // The clock stands still, so no token is added. About every eighth look-up before the 60th miss finds a file.
  const { 200: found = 0, ...refused } = counts;
  expect(found).toBeLessThan(15);
  expect(refused).toEqual({ 404: 60, 429: 160 - 60 - found });
  expect(await statuses(1, async () => callFrom(server, walker, `/file/${names[0]}`))).toEqual([429]);
});

test('60 short links are all served at once, also while their address may miss only one more', async ({ server }) => {
  const names = await uploadShortNames(server, 60);
  await statuses(59, async () => callFrom(server, walker, '/file/none'));
  expect(await burst(server, names)).toEqual({ 200: 60 });
});

test('links that exist do not count', async ({ server }) => {
  const name = await uploadFile(server, await signUpAndIn(server));
  await statuses(70, async () => callFrom(server, walker, `/file/${name}`));
  expect(await statuses(60, async () => callFrom(server, walker, '/file/none'))).toEqual(times(60, 404));
});

/** Requests links while the database holds back every look-up until all have arrived. Returns how often each status came. */
async function burst(
  { url, context: { db } }: TestServer,
  targets: readonly string[],
): Promise<Record<number, number>> {
  const arrived = Promise.withResolvers<void>();
  let expected = targets.length;
  const noteArrival = () => {
    expected -= 1;
    if (expected === 0) setImmediate(arrived.resolve);
  };
  const lookUp = db.executeQuery.bind(db);
  db.executeQuery = async (query) => {
    await arrived.promise;
    return lookUp(query);
  };
  subscribe('http.server.request.start', noteArrival);
  try {
    const answers = await Promise.all(targets.map(async (target) => callFrom({ url }, walker, `/file/${target}`)));
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  } finally {
    unsubscribe('http.server.request.start', noteArrival);
    db.executeQuery = lookUp;
  }
}

async function uploadShortNames(server: TestServer, count: number): Promise<string[]> {
  const owner = await signUpAndIn(server);
  await owner.browser.client.setAccountSettings({ body: { preferred_filename_length: 5 } });
  const names = [];
  for (let turn = 0; turn < count; turn += 1) {
    server.clock.advance(1_000);
    names.push(await uploadFile(server, owner));
  }
  return names;
}
