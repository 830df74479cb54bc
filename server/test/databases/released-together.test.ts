/** Requests that are complete but for their last byte, which the server then gets for all of them at once. */
import { standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { signUpAndIn, type SignedIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { releaseTogether } from '../harness/held-requests.ts';
import { startLimited } from '../harness/limited-server.ts';
import { startServer } from '../harness/start-server.ts';
import { storedNames } from '../harness/stored-bytes.ts';

const size = 100_000;
const { spaceQuota, slotsQuota } = standardPlans.free;

const uploadOf = ({ apiKey }: SignedIn, at: number) => ({
  path: '/api/v3/upload',
  headers: { 'X-API-Key': apiKey, 'Content-Type': 'multipart/form-data; boundary=kelp' },
  body:
    '--kelp\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' +
    `${String(at).padEnd(size, 'x')}\r\n--kelp--\r\n`,
  isChunked: true,
});

test.each([
  ['space', { space_used: spaceQuota - size }],
  ['slots', { slots_used: slotsQuota - 1 }],
])('of chunked uploads released together into %s for one, one is stored', async (_, used) => {
  await using server = await startServer();
  const accounts = await Promise.all(Array.from({ length: 12 }, () => signUpAndIn(server)));
  await server.context.db.updateTable('accounts').set(used).execute();
  // Four of each account, as many as may run at a time.
  const uploads = accounts.flatMap((account, at) => [0, 1, 2, 3].map((turn) => uploadOf(account, at * 4 + turn)));
  expect(await releaseTogether(server.port, uploads)).toEqual({ 200: 12, 403: 36 });
  expect(await storedNames(server)).toHaveLength(12);
  const rows = await server.context.db.selectFrom('accounts').select(['space_used', 'slots_used']).execute();
  const [[field, value] = ['', 0]] = Object.entries(used);
  expect(rows.map((row) => row[field as 'space_used'])).toEqual(
    rows.map(() => (field === 'space_used' ? spaceQuota : value + 1)),
  );
});

test('calls released together are counted exactly', async () => {
  await using server = await startLimited();
  const asked = { path: '/api/v3/session/login', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' };
  // The clock stands still: of an address four calls are let through.
  expect(
    await releaseTogether(
      server.port,
      Array.from({ length: 20 }, () => asked),
    ),
  ).toEqual({ 400: 4, 429: 16 });
  expect((await call(server, '/robots.txt')).status).toBe(200);
});
