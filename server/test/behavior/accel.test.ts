import { expect, test } from 'vitest';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { shareServer } from '../harness/server-test.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha256, uploadFile } from '../harness/uploads.ts';
import { onlyStored } from '../harness/stored-bytes.ts';
import { bytesAreOnS3 } from '../harness/test-blobs.ts';
import type { BlobId } from '../../src/storage/blobs/blobs.ts';

/** Headers that Holdfast sends to nginx; a test with the real nginx checks that nginx obeys them. */
const settings = { ACCEL: 'nginx' };
const { server: shared } = await shareServer(settings);

async function storeFile(server: TestServer, plan: PlanLevel = 'power') {
  const account = await signUpAndIn(server, { plan });
  const name = await uploadFile(server, account, 'x'.repeat(1_000), 'a.txt');
  return { account, name, path: `/file/${name}` };
}

async function startAccelerated() {
  const server = await startServer(settings);
  return { server, ...(await storeFile(server)) };
}

const redirect = (answer: { headers: Headers }) => answer.headers.get('X-Accel-Redirect');

test('nginx gets the path of the stored bytes and all headers of the response', async () => {
  const { server, path } = await startAccelerated();
  await using _ = server;
  const answer = await call(server, path);
  expect(answer).toMatchObject({ status: 200, text: '' });
  const stored = server.context.blobs.pathOf((await onlyStored(server)).name as BlobId);
  // From an S3 store nginx gets a signed request in place of a path.
  expect(redirect(answer)).toMatch(bytesAreOnS3 ? `/blobs/holdfast/${stored}?` : `/blobs/${stored}`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': 'inline; filename=a.txt',
    etag: `"${sha256('x'.repeat(1_000))}"`,
    'last-modified': expect.stringMatching(/ GMT$/),
    'repr-digest': expect.stringMatching(/^sha-256=:/),
    'x-accel-limit-rate': 'off',
  });
});

test.each<[PlanLevel, string]>([
  ['free', '500000'],
  ['basic', '12500000'],
])('nginx gets the speed of the %s plan in bytes per second', async (plan, speed) => {
  const { path } = await storeFile(shared, plan);
  expect((await call(shared, path)).headers.get('X-Accel-Limit-Rate')).toBe(speed);
});

test.each(['bytes=0-9', 'bytes=10-', 'bytes=-10', 'BYTES=0-5000'])('nginx sends the plain range %s', async (range) => {
  const { path } = await storeFile(shared);
  const answer = await call(shared, path, { headers: { Range: range } });
  expect(redirect(answer)).not.toBeNull();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Range')).toBeNull();
});

test.each<[string, Record<string, string>, number]>([
  ['several ranges', { Range: 'bytes=0-1,4-5' }, 206],
  ['one range in a list', { Range: 'bytes=0-1,5000-' }, 206],
  ['a range with white space', { Range: 'bytes= 0-1' }, 206],
  ['a range that is ignored', { Range: 'bytes=5-1' }, 200],
  ['a range of another version', { Range: 'bytes=0-1', 'If-Range': '"other"' }, 200],
  ['If-Match', { 'If-Match': '*' }, 200],
  ['If-Unmodified-Since', { 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 200],
  ['a range that cannot be satisfied', { Range: 'bytes=5000-' }, 416],
  ['a condition that fails', { 'If-Match': '"other"' }, 412],
  ['a condition that spares the body', { 'If-None-Match': '*' }, 304],
  ['a file that nginx could not read', { 'X-Accel-Failed': '200' }, 200],
])('%s is answered by Holdfast, because nginx would handle it differently', async (_name, headers, status) => {
  const { path } = await storeFile(shared);
  const answer = await call(shared, path, { headers });
  expect(answer.status).toBe(status);
  expect(redirect(answer)).toBeNull();
});

test('HEAD, digests, empty and missing files are answered by Holdfast too', async () => {
  const { account, path } = await storeFile(shared);
  const empty = await uploadFile(shared, account, '', 'empty.txt');
  for (const [target, method, status] of [
    [path, 'HEAD', 200],
    [`${path}.sha256`, 'GET', 200],
    [`/file/${empty}`, 'GET', 200],
    ['/file/nosuchfile', 'GET', 404],
  ] as const) {
    const answer = await call(shared, target, { method });
    expect(answer.status, `${method} ${target}`).toBe(status);
    expect(redirect(answer)).toBeNull();
  }
});

test('missing bytes give a 500 and an alarm', async ({ skip }) => {
  skip(bytesAreOnS3, 'nginx finds that out, without another request to the store.');
  const { server, path } = await startAccelerated();
  await using _ = server;
  await (await onlyStored(server)).remove();
  expect(await call(server, path)).toMatchObject({ status: 500 });
  expect(server.log.filter((line) => line.includes('ALARM'))).toHaveLength(1);
});

test('a download through nginx counts as a hit', async () => {
  const { account, path, name } = await storeFile(shared);
  await call(shared, path);
  await call(shared, path, { headers: { Range: 'bytes=5-' } });
  await call(shared, `${path}?no-count=true`);
  const hits = async () =>
    (await account.byKey.getFileList({ query: {} })).files.find((file) => file.name === name)?.hits;
  await expect.poll(hits).toBe(1);
});
