/** A failed upload deletes nothing, at whatever point it fails. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { type BlobStore, StorageFull } from '../../src/storage/blobs/blobs.ts';
import { upload } from '../../src/uploads/keep.ts';
import { stateOf } from '../harness/account-state.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { onePart } from '../harness/one-part.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { watchStatements } from '../harness/watched-statements.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

const quota = 500_000_000;

async function fullAccount(server: TestServer) {
  const account = await signUpAndIn(server);
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  const sizes = [700, 800, 900, 1_000];
  await storeRows(server, account, [
    ...sizes.map((size) => ({ size })),
    { size: quota - sizes.reduce((sum, size) => sum + size, 0), favorite: true },
  ]);
  return account;
}

test('an upload whose connection breaks in any part of the form evicts nothing', async ({ server }) => {
  const account = await fullAccount(server);
  const before = await stateOf(server, account);
  const body =
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' +
    `${'x'.repeat(2_000)}\r\n--edge--\r\n`;
  const head =
    `POST /api/v3/upload HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${account.apiKey}\r\n` +
    `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${body.length}\r\n\r\n`;
  const breakAfter = async (bytes: number) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(head + body.slice(0, bytes));
    socket.end();
    socket.resume();
    await once(socket, 'close');
  };
  for (const bytes of [0, 1, 40, 72, 73, 500, 2_070, 2_074, 2_079, body.length - 5, body.length - 3, body.length - 1])
    await breakAfter(bytes);
  expect(await stateOf(server, account)).toEqual(before);
  await expect.poll(() => storedNames(server)).toEqual([]);
});

test('an upload whose client leaves while its bytes are stored was interrupted, and evicts nothing', async ({
  server,
}) => {
  const account = await fullAccount(server);
  const before = await stateOf(server, account);
  const client = new AbortController();
  const write: BlobStore['write'] = (_id, _source, _accept, gone) => {
    client.abort(new Failure('REQUEST_TIMEOUT'));
    return Promise.reject(gone?.reason as Failure);
  };
  const blobs = { ...server.context.blobs, write };
  const caller = await keyCaller(server, account);
  const uploading = upload({ ...server.context, blobs }, caller, onePart(randomBytes(2_000)), { gone: client.signal });
  await expect(uploading).rejects.toMatchObject({ code: 'UPLOAD_INTERRUPTED' });
  expect(await stateOf(server, account)).toEqual(before);
});

test('an upload to a full storage evicts nothing', async ({ server }) => {
  const account = await fullAccount(server);
  const before = await stateOf(server, account);
  const blobs = { ...server.context.blobs, write: () => Promise.reject(new StorageFull('no space left')) };
  const caller = await keyCaller(server, account);
  const uploading = upload({ ...server.context, blobs }, caller, onePart(randomBytes(2_000)));
  await expect(uploading).rejects.toMatchObject({ code: 'UPLOAD_STORAGE_FULL' });
  expect(await stateOf(server, account)).toEqual(before);
});

test.each([
  ['SQLite', { errcode: 13 }],
  ['PostgreSQL', { code: '53100' }],
])('an upload into a full database, as reported by %s, evicts nothing', async (_, facts) => {
  await using server = await startServer();
  const account = await fullAccount(server);
  const before = await stateOf(server, account);
  const full = Object.assign(new Error('no room left'), facts);
  const db = watchStatements(server.context.db, {
    before(statement) {
      if (statement === 'InsertQueryNode files') throw full;
    },
  });
  const caller = await keyCaller(server, account);
  const uploading = upload({ ...server.context, db }, caller, onePart(randomBytes(2_000)));
  await expect(uploading).rejects.toMatchObject({ code: 'UPLOAD_STORAGE_FULL', cause: full });
  expect(await stateOf(server, account)).toEqual(before);
  expect(await storedNames(server)).toEqual([]);
});

test.each([
  ['evicts others', fullAccount],
  ['needs no eviction', (server: TestServer) => signUpAndIn(server)],
])('an upload that %s and fails at any statement of its commit changes nothing', async (what, createAccount) => {
  await using server = await startServer();
  const account = await createAccount(server);
  const before = await stateOf(server, account);
  const caller = await keyCaller(server, account);
  const statements: string[] = [];
  const broken = new Error('the database went away');
  for (let failAt = 0; ; failAt += 1) {
    statements.length = 0;
    const db = watchStatements(server.context.db, {
      before(statement, at) {
        if (at === failAt) throw broken;
        statements.push(statement);
      },
    });
    const uploading = upload({ ...server.context, db }, caller, onePart(randomBytes(2_000)));
    const failure = await uploading.then(
      () => null,
      (error: unknown) => error,
    );
    if (failure === null) break;
    expect(failure).toBe(broken);
    expect(await stateOf(server, account)).toEqual(before);
    expect(await storedNames(server)).toEqual([]);
  }
  expect(await storedNames(server)).toHaveLength(1);
  // This proves that the last attempts failed after the quota was reserved and after all evictions.
  const inserted = statements.lastIndexOf('InsertQueryNode files');
  expect(inserted).toBeGreaterThan(statements.lastIndexOf('UpdateQueryNode accounts'));
  expect(inserted).toBeGreaterThan(statements.lastIndexOf('InsertQueryNode activity'));
  expect((await stateOf(server, account)).activity).toMatchObject(what === 'evicts others' ? [{ files: 3 }] : []);
});
