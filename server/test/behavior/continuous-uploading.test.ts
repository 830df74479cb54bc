/** Continuous Uploading: the files that it evicts for a new one, and the cases in which it evicts none. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { hours } from '../../src/lib/clock.ts';
import { upload } from '../../src/uploads/keep.ts';
import { stateOf, sumsOf } from '../harness/account-state.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { onePart } from '../harness/one-part.ts';
import { type TestServer } from '../harness/start-server.ts';
import { type StoredRow, storeRows } from '@holdfast/test-support/stored-rows.ts';
import { fileUrl, formWith, sendForm, storedNameOf, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';
import { watchStatements } from '../harness/watched-statements.ts';

const quota = 500_000_000;
const slots = 500;

/** An account with Continuous Uploading on, whose last file fills the space that the others leave. */
async function fullAccount(server: TestServer, rows: readonly StoredRow[]) {
  const account = await signUpAndIn(server);
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  const rest = quota - rows.reduce((sum, { size = 1 }) => sum + size, 0);
  const names = await storeRows(server, account, [...rows, { size: rest }]);
  return { ...account, names };
}

const send = (server: TestServer, account: SignedIn, bytes: number, name = 'new.txt') =>
  sendForm(server, account, formWith(Buffer.alloc(bytes, 'x'), name));

test('the oldest files are evicted, only as many as needed, and the activity counts them', async ({ server }) => {
  const account = await fullAccount(server, [{ size: 300 }, { size: 200 }, { size: 100 }]);
  const [first, _second, ...others] = account.names;
  const kept = await send(server, account, 301);
  expect(kept).toMatchObject({ status: 200 });
  const state = await stateOf(server, account);
  expect(state.names).toEqual([...others, storedNameOf(kept.url)]);
  expect(state).toMatchObject({ ...sumsOf(state), space_used: quota - 500 + 301 });
  const { activity } = await account.browser.client.getActivity({ query: {} });
  expect(activity).toMatchObject([{ event: 'continuous_uploading', name: first, size: 500, files: 2 }]);
});

test('the response says what was evicted, and the activity for which upload', async ({ server }) => {
  const account = await fullAccount(server, [{ size: 300 }, { size: 200 }, { size: 100 }]);
  const rows = await server.context.db.selectFrom('files').select('original_name').orderBy('id').execute();
  const originals = rows.map((row) => row.original_name);
  const { client } = account.browser;
  const causes = async () =>
    (await client.getActivity({ query: {} })).activity.map(({ cause, files }) => [cause, files]);

  expect((await send(server, account, 301, 'harbour.mp4')).evicted).toEqual({
    total: 2,
    size: 500,
    names: originals.slice(0, 2),
  });
  expect(await causes()).toEqual([['harbour.mp4', 2]]);
  expect(await send(server, account, 199, 'harbour.mp4')).not.toHaveProperty('evicted');
  expect((await send(server, account, 100, 'harbour.mp4')).evicted).toMatchObject({ total: 1, size: 100 });
  expect(await causes()).toEqual([['harbour.mp4', 3]]);
  expect((await send(server, account, 1, 'tide.txt')).evicted).toMatchObject({ total: 1 });
  expect(await causes()).toEqual([['', 4]]);
});

test('the preview for bytes and files names what their upload evicts', async ({ server }) => {
  const account = await fullAccount(server, [{ size: 300 }, { size: 200, favorite: true }, { size: 100 }]);
  const { client } = account.browser;
  const preview = async (bytes: number, files: number) => {
    const { files: first, ...sums } = await client.getEvictionPreview({
      query: { bytes, files },
    });
    return { names: first.map(({ name }) => name), ...sums };
  };
  const [first, , third, last] = account.names;
  expect(await preview(0, 1)).toEqual({ names: [], total: 0, size: 0 });
  expect(await preview(300, 1)).toEqual({ names: [first], total: 1, size: 300 });
  expect(await preview(301, 1)).toEqual({ names: [first, third], total: 2, size: 400 });
  expect(await preview(0, slots - 2)).toMatchObject({ names: [first, third], total: 2 });
  // All that may be evicted, if it is not enough.
  expect(await preview(quota, 1)).toEqual({ names: [first, third, last], total: 3, size: quota - 200 });
  await expect(client.getEvictionPreview({ query: { bytes: -1 } })).rejects.toMatchObject({
    message: "'bytes' must be a whole number",
  });
  await client.setAccountSettings({ body: { continuous_uploading: false } });
  expect(await preview(301, 1)).toEqual({ names: [], total: 0, size: 0 });
});

test('one file is evicted for a slot, whatever its size', async ({ server, account }) => {
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  const names = await storeRows(
    server,
    account,
    Array.from({ length: slots }, () => ({ size: 10 })),
  );
  const kept = await send(server, account, 25);
  const state = await stateOf(server, account);
  expect(state.names).toEqual([...names.slice(1), storedNameOf(kept.url)]);
  expect(state).toMatchObject({ ...sumsOf(state), slots_used: slots });
});

test('a favorite of any age is kept, and a younger file is evicted', async ({ server }) => {
  const account = await fullAccount(server, [{ size: 50, favorite: true }, { size: 50 }, { size: 50, favorite: true }]);
  const [oldest, ordinary, third] = account.names;
  await send(server, account, 50);
  const { names, activity } = await stateOf(server, account);
  expect(names.slice(0, 2)).toEqual([oldest, third]);
  expect(activity.map(({ name }) => name)).toEqual([ordinary]);
});

test('when favorites leave too little quota, the file is refused and nothing is deleted', async ({ server }) => {
  const account = await signUpAndIn(server);
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  await storeRows(server, account, [{ size: 60 }, { size: quota - 100, favorite: true }, { size: 40 }]);
  const before = await stateOf(server, account);
  const refused = await send(server, account, 101);
  expect(refused).toMatchObject({
    status: 403,
    error: 'Not enough space or slots. Delete files, or ask the administrator for more space.',
  });
  expect(await stateOf(server, account)).toEqual(before);
  expect(await send(server, account, 100)).toMatchObject({ status: 200 });
  expect((await stateOf(server, account)).names).toHaveLength(2);
});

test('with Continuous Uploading off, a full account refuses uploads', async ({ server }) => {
  const account = await fullAccount(server, [{ size: 300 }]);
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: false } });
  const before = await stateOf(server, account);
  expect(await send(server, account, 1)).toMatchObject({ status: 403 });
  expect(await stateOf(server, account)).toEqual(before);
});

test('bytes shared by an evicted file and the new file are kept', async ({ server, account }) => {
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  await uploadFile(server, account, 'the same');
  await storeRows(server, account, [{ size: quota - 8 }]);
  const name = await uploadFile(server, account, 'the same');
  expect(await (await fetch(fileUrl(server, name))).text()).toBe('the same');
  const { files, blobs } = await stateOf(server, account);
  expect(blobs.find(({ id }) => id === files.at(-1)?.blob_id)).toMatchObject({ used_by: 1, unused_since: null });
});

test('a file that can never fit is refused before it is read; one that fits is requested', async ({ server }) => {
  const account = await fullAccount(server, [{ size: quota - 2_000_000, favorite: true }]);
  const ask = async (length: number) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /api/v3/upload HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${account.apiKey}\r\nExpect: 100-continue\r\n` +
        `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${length}\r\n\r\n`,
    );
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(first.toString('latin1', 9, 12));
  };
  expect(await ask(100_100_000)).toBe(413);
  expect(await ask(2_100_000)).toBe(403);
  expect(await ask(2_000_000)).toBe(100);
});

test('an upload evicts 5,000 files in as many statements as one file, and never more', async ({ server }) => {
  const account = await signUpAndIn(server, { plan: 'advanced' });
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  const space = server.context.config.plans.advanced.spaceQuota;
  const small = Array.from({ length: 5_002 }, () => ({ size: 2 }));
  await storeRows(server, account, [...small, { size: space - 2 * 5_002 }]);
  const statements: string[][] = [];
  const evicting = async (bytes: number) => {
    const seen: string[] = [];
    statements.push(seen);
    const db = watchStatements(server.context.db, {
      before: (statement) => void (statement.startsWith('Select') || seen.push(statement)),
    });
    return upload({ ...server.context, db }, await keyCaller(server, account), onePart(randomBytes(bytes)));
  };
  await evicting(1);
  const before = await stateOf(server, account);
  await expect(evicting(10_002)).rejects.toMatchObject({
    code: 'UPLOAD_QUOTA_EXCEEDED',
    message: expect.stringMatching(/more than 5,000 others/),
  });
  expect(await stateOf(server, account)).toEqual(before);
  server.clock.advance(hours(1));
  await evicting(10_001);
  const after = await stateOf(server, account);
  expect(after).toMatchObject(sumsOf(after));
  expect(after.activity).toMatchObject([{ files: 1 }, { files: 5_000 }]);
  expect(after.blobs.filter(({ used_by }) => used_by === 0)).toHaveLength(5_001);
  expect(statements[2]).toEqual(statements[0]);
});

test('concurrent uploads evict only what they need, and never exceed the quota', async ({ server }) => {
  const account = await fullAccount(
    server,
    Array.from({ length: 60 }, (_, at) => ({ size: 1_000, favorite: at % 3 === 0 })),
  );
  const before = await stateOf(server, account);
  // By calls, because only these wait for their turn: 30 transactions on one account would wait for its lock too long.
  const uploading = Promise.all(
    Array.from({ length: 30 }, () => sendForm(server, account, formWith(randomBytes(1_000)))),
  );
  const ended = new AbortController();
  void uploading.then(() => ended.abort());
  const seen: number[] = [];
  while (!ended.signal.aborted) {
    seen.push((await stateOf(server, account)).space_used);
    await setImmediate();
  }
  const uploads = await uploading;
  expect(uploads.filter(({ status }) => status !== 200)).toEqual([]);
  expect(Math.max(...seen)).toBeLessThanOrEqual(quota);
  const after = await stateOf(server, account);
  expect(after).toMatchObject({ ...sumsOf(after), space_used: quota });
  // Equal sizes: each new file evicts one, and the evicted files are exactly the oldest ones.
  const ordinary = before.files.filter(({ is_favorite }) => is_favorite === 0);
  expect(after.files.slice(0, 30)).toEqual(
    before.files.filter((file) => !ordinary.slice(0, 30).includes(file)).slice(0, 30),
  );
  expect(after.activity).toMatchObject([{ files: 30 }]);
});

test('accounts whose oldest files share bytes in opposite order can evict concurrently', async ({ server }) => {
  const digests = Array.from({ length: 300 }, (_, at) => at.toString(16).padStart(64, '0'));
  const rowsOf = (order: readonly string[]) => order.map((digest) => ({ size: 10, sha256: digest }));
  const accounts = [
    await fullAccount(server, rowsOf(digests)),
    await fullAccount(server, rowsOf(digests.toReversed())),
    await fullAccount(server, rowsOf([...digests.slice(150), ...digests.slice(0, 150)])),
  ];
  // First as many as are deleted in several steps, and then the rest of them.
  for (const size of [2_400, 600]) {
    const bytes = Buffer.alloc(size, 'x');
    const uploads = accounts.map(async (account) =>
      upload(server.context, await keyCaller(server, account), onePart(bytes)),
    );
    await Promise.all(uploads);
  }
  for (const account of accounts) {
    const state = await stateOf(server, account);
    expect(state).toMatchObject({ ...sumsOf(state), space_used: quota });
    expect(state.activity).toMatchObject([{ files: 300 }]);
  }
  // The two new ones, which all three accounts have.
  const { blobs } = await stateOf(server, accounts[0] ?? { email: '' });
  expect(blobs.filter(({ used_by }) => used_by === 3)).toHaveLength(2);
  expect(blobs.filter(({ used_by }) => used_by === 0)).toHaveLength(300);
});
