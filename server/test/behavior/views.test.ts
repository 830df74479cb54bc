/** Which requests are hits. How hits are counted and written: `databases/hits`. */
import { expect } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { shareServer } from '../harness/server-test.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';

const { server, test } = await shareServer({ TRUST_PROXY: '127.0.0.1' });

async function listed(account: SignedIn, name: string) {
  await server.hits.flush();
  const { files } = await account.byKey.getFileList({ query: {} });
  return files.find((file) => file.name === name);
}

async function get(rest: string, options: RequestInit = {}) {
  const answer = await fetch(fileUrl(server, rest), options);
  await answer.arrayBuffer();
  return answer;
}

test('only a GET from the first byte is a hit, and only with another GET of the file it is in use', async () => {
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account, 'x'.repeat(1_000));
  const etag = (await get(name, { method: 'HEAD' })).headers.get('ETag') ?? '';
  for (const rest of [`${name}.sha256`, `${name}.txt.sha256`, `${name}?no-count=true`, `${name}.exe`]) await get(rest);
  for (const headers of [{ Range: 'bytes=1000-' }, { 'If-Match': '"other"' }]) await get(name, { headers });
  expect(await listed(account, name)).toMatchObject({ hits: 0, last_accessed: null });
  const accesses = [
    { Range: 'bytes=500-' },
    { Range: 'bytes=-999' },
    { Range: 'bytes=1-2,4-5' },
    { 'If-None-Match': etag },
  ];
  for (const headers of accesses) await get(name, { headers: headers as Record<string, string> });
  expect(await listed(account, name)).toMatchObject({ hits: 0, last_accessed: expect.any(String) as string });
  const again = (query: string, headers = {}) => {
    server.clock.advance(30_000);
    return get(name + query, { headers });
  };
  for (const query of ['?no-count=false', '?no-count', '?no-count=1', '?other=true']) await again(query);
  for (const Range of ['bytes=0-0', 'bytes=-1000', 'bytes=5-6,0-1', 'lines=1']) await again('', { Range });
  expect(await listed(account, name)).toMatchObject({ hits: 8 });
});

test('what one address requests of a file within 30 seconds is one view', async () => {
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account, 'x'.repeat(1_000), 'song.mp3');
  const other = await uploadFile(server, account, 'y', 'other.mp3');
  const from = (address: string, rest = name, range?: string) =>
    get(rest, { headers: { 'X-Forwarded-For': address, ...(range !== undefined && { Range: range }) } });
  // A tab and its player, then the probe and the rest that another player requests.
  await from('192.0.2.1');
  for (const range of ['bytes=0-', 'bytes=0-1', 'bytes=0-999']) await from('192.0.2.1', `${name}.mp3`, range);
  expect(await listed(account, name)).toMatchObject({ hits: 1 });
  // All addresses of one home network.
  for (const last of ['1', '2']) await from(`2001:db8:1:2::${last}`);
  await from('192.0.2.1', other);
  expect(await listed(account, name)).toMatchObject({ hits: 2 });
  expect(await listed(account, other)).toMatchObject({ hits: 1 });
  server.clock.advance(29_999);
  await from('192.0.2.1');
  const last_accessed = new Date(server.clock.now()).toISOString();
  expect(await listed(account, name)).toMatchObject({ hits: 2, last_accessed });
  server.clock.advance(1);
  await from('192.0.2.1');
  expect(await listed(account, name)).toMatchObject({ hits: 3 });
});
