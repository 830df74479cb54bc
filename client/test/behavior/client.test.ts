import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { callFrom, statuses, startLimited } from '@holdfast/server/test/harness/limited-server.ts';
import { signUpAndIn, type SignedIn } from '@holdfast/server/test/harness/accounts.ts';
import { test } from '@holdfast/server/test/harness/server-test.ts';
import type { TestServer } from '@holdfast/server/test/harness/start-server.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { sha256, storedNameOf } from '@holdfast/server/test/harness/uploads.ts';
import type { StoredFile } from '@holdfast/contract/src/files.ts';
import { expect } from 'vitest';
import { createHoldfast } from '../../src/client.ts';
import type { Holdfast, HoldfastOptions } from '../../src/options.ts';

const clientOf = (server: TestServer, { apiKey }: Pick<SignedIn, 'apiKey'>, options: Partial<HoldfastOptions> = {}) =>
  createHoldfast({ url: server.url, apiKey, pause: async () => {}, ...options });

async function listed(holdfast: Holdfast, search = ''): Promise<StoredFile[]> {
  const files = [];
  for await (const file of holdfast.listFiles({ search })) files.push(file);
  return files;
}

/** Sends as `fetch` does, and remembers what was asked. */
function watchedFetch(after: (method: string, path: string) => void = () => {}) {
  const sent: string[] = [];
  const watched: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    sent.push(`${method} ${pathname.replace(/\w{32}$/, 'ID')}`);
    const answer = await fetch(input, init);
    after(method, pathname);
    return answer;
  };
  return { sent, fetch: watched };
}

test('a file is uploaded, listed, marked, read, deleted and restored', async ({ server, account }) => {
  const holdfast = clientOf(server, account);
  const { url } = await holdfast.upload(new Blob(['hello']), { name: 'Größe.txt', sha256: sha256('hello') });
  const name = storedNameOf(url);
  const files = await listed(holdfast, 'größe');
  expect(files).toMatchObject([{ name, original_name: 'Größe.txt', size: 5, sha256: sha256('hello') }]);
  const { file_info } = await holdfast.toggleFavorite({ body: { file: name } });
  expect(file_info).toEqual({ name, is_favorite: true });
  expect(await (await holdfast.download(name, { from: 1 })).text()).toBe('ello');
  expect(await holdfast.getDigest(name)).toBe(sha256('hello'));
  expect(await holdfast.deleteFiles({ body: { files: [name] } })).toEqual({ deleted: [name] });
  expect(await listed(holdfast)).toEqual([]);
  await expect(holdfast.download(name)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND', status: 404 });
  expect(await holdfast.restoreFiles({ body: { files: [name] } })).toEqual({ restored: [name] });
  const { account: own } = await holdfast.getAccountInfo();
  expect([own.info.email, own.usage]).toEqual([account.email, { space_used: 5, slots_used: 1 }]);
  expect((await holdfast.getAccountSettings()).account.settings.continuous_uploading).toBe(false);
});

test('a list has the files of all pages', async ({ server, account }) => {
  const holdfast = clientOf(server, account);
  await storeRows(
    server,
    account,
    Array.from({ length: 501 }, () => ({ size: 1, sha256: sha256('x') })),
  );
  const files = await listed(holdfast);
  expect(new Set(files.map(({ name }) => name)).size).toBe(501);
});

test('each refusal has a code and a status', async ({ server, account }) => {
  const holdfast = clientOf(server, account);
  const stranger = clientOf(server, { apiKey: 'hf_wrong' });
  const large = { size: 100_000_001, slice: () => new Blob() };
  const small = new Blob(['x']);
  const refused = [
    [() => stranger.getAccountInfo(), 'AUTH_INVALID_KEY', 401],
    [() => stranger.upload(small), 'AUTH_INVALID_KEY', 401],
    [() => stranger.upload(large), 'AUTH_INVALID_KEY', 401],
    [() => stranger.removeUpload('a'), 'AUTH_INVALID_KEY', 401],
    [() => holdfast.upload(small, { name: 'a.exe' }), 'UPLOAD_TYPE_REFUSED', 415],
    [() => holdfast.upload(small, { name: 'a.txt', sha256: sha256('y') }), 'UPLOAD_DIGEST_MISMATCH', 422],
    [() => holdfast.upload(large, { name: 'a.zip' }), 'UPLOAD_TOO_LARGE', 413],
    [() => holdfast.toggleFavorite({ body: { file: 'abcdefgh' } }), 'FILE_NOT_FOUND', 404],
    [() => holdfast.deleteFiles({ body: { files: Array(501).fill('abcd') } }), 'INVALID_INPUT', 400],
    [() => createHoldfast({ url: 'http://127.0.0.1:1', apiKey: 'a', retries: 0 }).getAccountInfo(), 'NO_RESPONSE', 0],
  ] as const;
  for (const [call, code, status] of refused)
    await expect(call()).rejects.toMatchObject({ name: 'HoldfastError', code, status });
});

test('a call above the limit is repeated when the server allows it', async () => {
  await using server = await startLimited();
  const account = await signUpAndIn(server);
  const path = '/api/v3/rest/get-account-info';
  const waits: unknown[] = [];
  const holdfast = clientOf(server, account, {
    pause: async (milliseconds) => server.clock.advance(milliseconds),
    onRetry: ({ code, retryAfter }, seconds) => waits.push([code, retryAfter, seconds]),
  });
  const headers = { 'X-API-Key': account.apiKey };
  expect(await statuses(5, () => callFrom(server, '127.0.0.1', path, { headers }))).toEqual([200, 200, 200, 200, 429]);
  expect(await holdfast.deleteFiles({ body: { files: [] } })).toEqual({ deleted: [] });
  expect(waits).toEqual([['RATE_LIMITED', 1, 1]]);
});

test('after a lost response an upload is sent again and stored once, and a deletion is not repeated', async ({
  server,
  account,
}) => {
  let isLost = true;
  const { sent, fetch } = watchedFetch(() => {
    if (isLost) throw new TypeError('cut off');
  });
  const holdfast = clientOf(server, account, { fetch, onRetry: () => (isLost = false) });
  const { url } = await holdfast.upload(new Blob(['hello']), { name: 'a.txt' });
  expect(sent).toEqual(['POST /api/v3/upload', 'POST /api/v3/upload']);
  isLost = true;
  const files = [storedNameOf(url)];
  await expect(holdfast.deleteFiles({ body: { files } })).rejects.toMatchObject({ code: 'NO_RESPONSE', status: 0 });
  expect(sent.slice(2)).toEqual(['DELETE /api/v3/rest/delete-files']);
  expect(await listed(holdfast)).toEqual([]);
});

const bytes = randomBytes(20_000_000);
const inPieces = { pieceBytes: 4_000_000 };

test('an upload whose connection breaks goes on where it ended', async ({ server, account }) => {
  const cut = new AbortController();
  const { sent, fetch: watched } = watchedFetch();
  const fetch: typeof globalThis.fetch = (input, init) =>
    watched(input, { ...init, signal: AbortSignal.any([init?.signal ?? cut.signal, cut.signal]) });
  const healthy: typeof globalThis.fetch = (input, init) => (cut.signal.aborted ? watched : fetch)(input, init);
  const after: number[] = [];
  const holdfast = clientOf(server, account, { ...inPieces, fetch: healthy });
  const { url } = await holdfast.upload(new Blob([bytes]), {
    name: 'pack.zip',
    sha256: sha256(bytes),
    onProgress({ sent: done, total }) {
      expect(total).toBe(bytes.length);
      if (cut.signal.aborted) after.push(done);
      if (done > 9_000_000) cut.abort();
    },
  });
  expect(sent.filter((each) => each.startsWith('POST'))).toHaveLength(1);
  expect(sent).toContain('HEAD /api/v3/tus/ID');
  expect(Math.min(...after)).toBeGreaterThanOrEqual(8_000_000);
  expect(after.at(-1)).toBe(bytes.length);
  expect(await holdfast.getDigest(url)).toBe(sha256(bytes));
});

test('a download whose connections break goes on where each ended', async ({ server, account }) => {
  const pack = bytes.subarray(0, 1_500_000);
  const { url } = await clientOf(server, account).upload(new Blob([pack]), { name: 'pack.zip' });
  const ranges: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { range } = Object.fromEntries(new Headers(init?.headers));
    ranges.push(range);
    const { body, ...answer } = await globalThis.fetch(input, init);
    let left = ranges.length < 3 ? 600_000 : Infinity;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left));
        if ((left -= chunk.length) <= 0) controller.error(new TypeError('terminated'));
      },
    });
    return new Response(body?.pipeThrough(cut) ?? null, answer);
  };
  const hash = createHash('sha256');
  for await (const chunk of clientOf(server, account, { fetch }).readBytes(url)) hash.update(chunk);
  expect(hash.digest('hex')).toBe(sha256(pack));
  expect(ranges).toEqual([undefined, 'bytes=600000-', 'bytes=1200000-']);
});

test('an upload that was stopped is resumed by another client, which sends only the rest', async ({
  server,
  account,
}) => {
  const stop = new AbortController();
  let id = '';
  const stopped = clientOf(server, account, inPieces).upload(new Blob([bytes]), {
    name: 'pack.zip',
    signal: stop.signal,
    onBegin: (begun) => (id = begun),
    onProgress: ({ sent }) => void (sent === 8_000_000 && stop.abort(new Error('enough'))),
  });
  await expect(stopped).rejects.toThrow('enough');
  const { sent, fetch } = watchedFetch();
  const read: number[] = [];
  const source = {
    size: bytes.length,
    slice: (from: number, to: number) => (read.push(from), new Blob([bytes.subarray(from, to)])),
  };
  const holdfast = clientOf(server, account, { ...inPieces, fetch });
  const { url } = await holdfast.upload(source, { resume: id });
  expect(sent[0]).toBe('HEAD /api/v3/tus/ID');
  expect(sent).not.toContain('POST /api/v3/tus');
  expect(Math.min(...read)).toBeGreaterThanOrEqual(4_000_000);
  expect(await holdfast.getDigest(url)).toBe(sha256(bytes));
});

test('an upload that is no longer there starts again, and a removed one releases its quota', async ({
  server,
  account,
}) => {
  const holdfast = clientOf(server, account, inPieces);
  const stop = new AbortController();
  let id = '';
  const options = { onBegin: (begun: string) => (id = begun), name: 'a.zip' };
  const left = holdfast.upload(new Blob([bytes]), { ...options, onProgress: () => stop.abort(), signal: stop.signal });
  await expect(left).rejects.toThrow();
  await holdfast.removeUpload(id);
  await holdfast.removeUpload(id);
  expect((await holdfast.getAccountInfo()).account.usage).toEqual({ space_used: 0, slots_used: 0 });
  const { url } = await holdfast.upload(new Blob([bytes]), { ...options, resume: id });
  expect(await holdfast.getDigest(url)).toBe(sha256(bytes));
});

test('the key is not sent to another address', async ({ server, account }) => {
  const seen: unknown[] = [];
  const elsewhere = createServer((request, response) => {
    seen.push(request.headers['x-api-key']);
    response.writeHead(307, { Location: server.url + (request.url ?? '') }).end();
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const { port } = elsewhere.address() as { port: number };
  const holdfast = createHoldfast({ url: `http://127.0.0.1:${port}`, apiKey: account.apiKey });
  await expect(holdfast.getAccountInfo()).rejects.toMatchObject({ code: 'UNREADABLE', status: 307 });
  await expect(holdfast.upload(new Blob(['x']))).rejects.toMatchObject({ code: 'UNREADABLE', status: 307 });
  expect(seen).toEqual([account.apiKey, account.apiKey]);
  elsewhere.close();
});
