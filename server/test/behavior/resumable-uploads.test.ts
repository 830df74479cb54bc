import { evictedHeader, mostUnfinishedUploads, tusPath, unfinishedFor } from '@holdfast/contract/src/resumable.ts';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';
import { signUpAndIn, type SignedIn } from '../harness/accounts.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { test } from '../harness/server-test.ts';
import type { TestServer } from '../harness/start-server.ts';
import { bytesAreOnS3 } from '../harness/test-blobs.ts';
import { download, sha256, storedNameOf } from '../harness/uploads.ts';
import { tusOf } from '../harness/tus.ts';

const usageOf = async (server: TestServer, { email }: SignedIn) => {
  const { db } = server.context;
  const row = await db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
  return [row.space_used, row.slots_used];
};

const bytes = randomBytes(300_000);

test('a file that arrives in three pieces gets its link with the last one', async ({ server, account }) => {
  const tus = tusOf(server, account);
  const path = await tus.begin(bytes.length, { filename: 'Größe.zip', sha_256: sha256(bytes) });
  expect(path).toMatch(/^\/api\/v3\/tus\/[A-Za-z0-9]{32}$/);
  for (const [from, to] of [
    [0, 100_000],
    [100_000, 100_001],
  ] as const) {
    const sent = await tus.send(path, from, bytes.subarray(from, to));
    expect(sent).toMatchObject({ status: 204, offset: to, link: null });
    expect(sent.headers.get('Upload-Expires')).toMatch(/GMT$/);
    const head = await tus.head(path);
    expect(head).toMatchObject({ status: 200, offset: to, link: null });
    expect([head.headers.get('Upload-Length'), head.headers.get('Cache-Control')]).toEqual(['300000', 'no-store']);
  }
  const last = await tus.send(path, 100_001, bytes.subarray(100_001));
  expect(last).toMatchObject({ status: 204, offset: bytes.length });
  expect(last.link).toMatch(/\/file\/\w{8}\.zip$/);
  expect(await download(server, storedNameOf(last.link ?? ''))).toBe(sha256(bytes));
  expect(await tus.head(path)).toMatchObject({ status: 200, offset: bytes.length, link: last.link });
  expect(await usageOf(server, account)).toEqual([bytes.length, 1]);
  const again = await tus.send(path, bytes.length, '');
  expect(again).toMatchObject({ status: 409 });
});

test('a creation may bring bytes, and one of no bytes is complete', async ({ server, account }) => {
  const tus = tusOf(server, account);
  const headers = { 'Content-Type': 'application/offset+octet-stream' };
  const whole = await tus.create(5, { filename: 'a.txt' }, headers, 'hello');
  expect(whole).toMatchObject({ status: 201, offset: 5 });
  expect(await download(server, storedNameOf(whole.link ?? ''))).toBe(sha256('hello'));
  const part = await tus.create(5, { filename: 'b.txt' }, headers, 'hel');
  expect(part).toMatchObject({ status: 201, offset: 3, link: null });
  expect(await tus.send(part.headers.get('Location') ?? '', 3, 'lo')).toMatchObject({ status: 204, offset: 5 });
  const empty = await tus.create(0, { filename: 'empty.txt' });
  expect(empty).toMatchObject({ status: 201, offset: 0 });
  expect(await download(server, storedNameOf(empty.link ?? ''))).toBe(sha256(''));
  expect(await usageOf(server, account)).toEqual([10, 3]);
});

test('what the protocol forbids changes nothing', async ({ server, account }) => {
  const tus = tusOf(server, account);
  const path = await tus.begin(10);
  await tus.send(path, 0, 'hello');
  const outside = `${tusPath}/..%2f..%2fetc%2fpasswd`;
  const refusals = [
    [409, await tus.send(path, 4, 'o wor')],
    [409, await tus.send(path, 6, 'worl')],
    [400, await tus.send(path, -5, 'hello')],
    [400, await tus.call('PATCH', path, { 'Content-Type': 'application/offset+octet-stream' }, 'x')],
    [415, await tus.send(path, 5, 'x', { 'Content-Type': 'text/plain' })],
    [413, await tus.send(path, 5, 'longer than five')],
    [412, await tus.send(path, 5, 'x', { 'Tus-Resumable': '0.2.2' })],
    [412, await tus.call('HEAD', path, { 'Tus-Resumable': '2.0.0' })],
    [400, await tus.send(path, 5, 'x', { 'Upload-Checksum': 'md5 abc' })],
    [400, await tus.call('POST', tusPath, { 'Upload-Defer-Length': '1' })],
    [400, await tus.create(-1)],
    [400, await tus.create(1, { filename: 'a.zip', sha_256: 'abc' })],
    [404, await tus.head(`${tusPath}/${'x'.repeat(32)}`)],
    [404, await tus.head(outside)],
    [404, await tus.send(outside, 0, 'x')],
    [404, await tus.remove(outside)],
    [404, await tusOf(server, await signUpAndIn(server)).head(path)],
    [404, await tusOf(server, await signUpAndIn(server)).remove(path)],
    [401, await tus.call('HEAD', path, { 'X-API-Key': 'wrong' })],
  ] as const;
  expect(refusals.map(([, { status }]) => status)).toEqual(refusals.map(([status]) => status));
  for (const [, { headers }] of refusals) expect(headers.get('Tus-Resumable')).toBe('1.0.0');
  expect(await tus.head(path)).toMatchObject({ status: 200, offset: 5 });
  expect(await tus.send(path, 5, 'world')).toMatchObject({ status: 204, offset: 10 });
});

test('OPTIONS says what the server knows', async ({ server }) => {
  const answer = await fetch(server.url + tusPath, { method: 'OPTIONS' });
  expect(answer.status).toBe(204);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,expiration,checksum,termination',
    'tus-checksum-algorithm': 'sha256,sha1',
    'access-control-allow-methods': 'POST',
  });
});

test('a piece with a wrong checksum is not taken, and a right one is', async ({ server, account }) => {
  const tus = tusOf(server, account);
  const path = await tus.begin(10);
  const checksum = (algorithm: string, text: string) => ({
    'Upload-Checksum': `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`,
  });
  expect(await tus.send(path, 0, 'hello', checksum('sha1', 'hello'))).toMatchObject({ status: 204, offset: 5 });
  expect(await tus.send(path, 5, 'wrong', checksum('sha256', 'world'))).toMatchObject({ status: 460 });
  expect(await tus.head(path)).toMatchObject({ offset: 5 });
  const right = await tus.send(path, 5, 'world', checksum('sha256', 'world'));
  expect(await download(server, storedNameOf(right.link ?? ''))).toBe(sha256('helloworld'));
});

test('a file that is not the promised one leaves nothing', async ({ server, account }) => {
  const tus = tusOf(server, account);
  const path = await tus.begin(5, { filename: 'a.txt', sha_256: sha256('other') });
  expect(await tus.send(path, 0, 'hello')).toMatchObject({ status: 422 });
  expect(await tus.head(path)).toMatchObject({ status: 404 });
  expect(await usageOf(server, account)).toEqual([0, 0]);
});

test('quota is reserved when an upload begins, and released when it is removed', async ({ server, account }) => {
  const tus = tusOf(server, account);
  expect(await tus.create(100_000_001)).toMatchObject({ status: 413 });
  expect(await tus.create(10, { filename: 'a.exe' })).toMatchObject({ status: 415 });
  const paths = [];
  for (let n = 0; n < 5; n += 1) paths.push(await tus.begin(100_000_000));
  expect(await usageOf(server, account)).toEqual([500_000_000, 5]);
  expect(await tus.create(1)).toMatchObject({ status: 413, error: expect.stringContaining('0 bytes left') });
  expect(await tus.remove(paths[0] ?? '')).toMatchObject({ status: 204 });
  expect(await tus.remove(paths[0] ?? '')).toMatchObject({ status: 404 });
  expect(await usageOf(server, account)).toEqual([400_000_000, 4]);
  expect(await tus.create(100_000_000)).toMatchObject({ status: 201 });
});

test('an account has twenty unfinished uploads at most', async ({ server, account }) => {
  const tus = tusOf(server, account);
  const answers = await Promise.all(Array.from({ length: 60 }, () => tus.create(1)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(mostUnfinishedUploads);
  expect(answers.find(({ status }) => status !== 201)).toMatchObject({
    status: 403,
    error: 'You have 20 unfinished uploads. Complete or remove one of them first.',
  });
  expect(await usageOf(server, account)).toEqual([20, 20]);
});

test('an upload expires a day after its last byte, with all that it had', async ({ server, account }) => {
  const tus = tusOf(server, account);
  const path = await tus.begin(10);
  server.clock.advance(unfinishedFor - 1);
  await tus.send(path, 0, 'hello');
  server.clock.advance(unfinishedFor - 1);
  await server.runJob('end-uploads');
  expect(await tus.head(path)).toMatchObject({ offset: 5 });
  server.clock.advance(2);
  expect(await tus.send(path, 5, 'world')).toMatchObject({ status: 404 });
  await server.runJob('end-uploads');
  expect(await server.context.db.selectFrom('uploads').selectAll().execute()).toEqual([]);
  expect(await usageOf(server, account)).toEqual([0, 0]);
});

test('with Continuous Uploading files are evicted only when the new one is complete', async ({ server, account }) => {
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  await storeRows(server, account, [{ size: 100 }, { size: 499_999_900 }]);
  const tus = tusOf(server, account);
  const path = await tus.begin(50);
  await tus.send(path, 0, 'x'.repeat(49));
  expect(await usageOf(server, account)).toEqual([500_000_000, 2]);
  const last = await tus.send(path, 49, 'x');
  expect(last.link).not.toBeNull();
  const evicted = JSON.parse(last.headers.get(evictedHeader) ?? '') as unknown;
  expect(evicted).toEqual({ total: 1, size: 100, names: [expect.any(String)] });
  expect(await usageOf(server, account)).toEqual([499_999_950, 2]);
});

test('of two requests at once one is told of the other, and one that has fallen silent gives way', async ({
  server,
  account,
}) => {
  const stored = (bytesAreOnS3 ? 15 : 16) * 1024 * 1024;
  const tus = tusOf(server, account);
  const path = await tus.begin(stored + 5);
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  const first = tus.send(path, 0, readable).catch(() => 'cut off');
  void writer.write(Buffer.alloc(stored)).catch(() => {});
  await expect.poll(async () => (await tus.head(path)).offset).toBe(stored);
  expect(await tus.send(path, stored, 'hello')).toMatchObject({ status: 423 });
  server.clock.advance(10_000);
  expect(await tus.send(path, stored, 'hello')).toMatchObject({ status: 204, offset: stored + 5 });
  expect(await first).toBe('cut off');
});

test('a changed key goes on where the old one was, and a closed account has no uploads', async ({
  server,
  account,
}) => {
  const path = await tusOf(server, account).begin(10);
  const { account_info } = await account.browser.client.changeApiKey();
  expect(await tusOf(server, account).send(path, 0, 'hello')).toMatchObject({ status: 401 });
  const tus = tusOf(server, { apiKey: account_info.new_api_key });
  expect(await tus.send(path, 0, 'hello')).toMatchObject({ status: 204 });
  await account.browser.client.deleteAccount();
  expect(await tus.send(path, 5, 'world')).toMatchObject({ status: 401 });
  await server.runJob('empty-accounts');
  expect(await server.context.db.selectFrom('uploads').selectAll().execute()).toEqual([]);
  expect(await usageOf(server, account).catch(() => [0, 0])).toEqual([0, 0]);
});

test('an account sees its own unfinished uploads until they are complete or expire', async ({ server, account }) => {
  const tus = tusOf(server, account);
  const listed = async ({ browser } = account) => (await browser.client.getUnfinishedUploads()).uploads;
  const path = await tus.begin(10, {
    filename: 'reef.zip',
    modified: '2026-03-01T10:00:00.250Z',
    fingerprint: 'a1b2',
  });
  await tus.send(path, 0, 'hello');
  const reef = {
    path,
    original_name: 'reef.zip',
    size: 10,
    stored: 5,
    modified: '2026-03-01T10:00:00.250Z',
    fingerprint: 'a1b2',
  };
  const expires = new Date(server.context.clock.now() + unfinishedFor).toISOString();
  expect(await listed()).toEqual([{ ...reef, expires }]);
  server.clock.advance(1000);
  const other = await tus.begin(5, {
    filename: 'kelp.txt',
    modified: '+275760-09-13T00:00:00.000Z',
    fingerprint: 'no word',
  });
  expect(await listed()).toEqual([
    expect.objectContaining({ original_name: 'kelp.txt', stored: 0, modified: null, fingerprint: null }),
    { ...reef, expires },
  ]);
  expect(await listed(await signUpAndIn(server))).toEqual([]);
  await tus.remove(other);
  await tus.send(path, 5, 'world');
  expect(await listed()).toEqual([]);
  await tus.begin(5);
  server.clock.advance(unfinishedFor + 1);
  expect(await listed()).toEqual([]);
});

test('a client that waits for permission gets it before it sends a piece', async ({ server, account }) => {
  const tus = tusOf(server, account);
  const path = await tus.begin(5);
  const sending = request(server.url + path, {
    method: 'PATCH',
    headers: {
      'X-API-Key': account.apiKey,
      'Tus-Resumable': '1.0.0',
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': '5',
      'Upload-Offset': '0',
      Expect: '100-continue',
    },
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.end('hello');
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(204);
});

test('a piece is refused once the plan is too small for its file', async ({ server }) => {
  const account = await signUpAndIn(server, { plan: 'power' });
  const tus = tusOf(server, account);
  const path = await tus.begin(100_000_001);
  await tus.send(path, 0, 'hello');
  const own = server.context.db.updateTable('accounts').set({ level: 'free' }).where('email', '=', account.email);
  await own.execute();
  expect(await tus.send(path, 5, 'world')).toMatchObject({ status: 413 });
  expect(await tus.head(path)).toMatchObject({ status: 200, offset: 5 });
  expect(await tus.remove(path)).toMatchObject({ status: 204 });
  expect(await usageOf(server, account)).toEqual([0, 0]);
});
