/** Bytes that are stored but cannot be read at the moment. */
import { expect, test } from 'vitest';
import { BlobsUnavailable } from '../../src/storage/blobs/blobs.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';

test.each([
  ['small', 'hello'],
  ['large', 'x'.repeat(700_000)],
])('a %s file that cannot be read now is a 503 that says when to try again, and no alarm', async (_, text) => {
  await using server = await startServer();
  const { blobs } = server.context;
  const name = await uploadFile(server, await signUpAndIn(server, { plan: 'power' }), text);
  const before = { ...blobs };
  Object.assign(blobs, { open: () => Promise.reject(new BlobsUnavailable('The store is away')) });
  const refused = await fetch(fileUrl(server, name));
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '2']);
  expect(await refused.text()).toBe('The service is not available right now. Try again later.\n');
  expect(server.log.filter((line) => line.includes('ALARM'))).toEqual([]);
  expect(server.log.filter((line) => line.includes('a file cannot be read at the moment'))).toHaveLength(1);
  Object.assign(blobs, before);
  expect(await (await fetch(fileUrl(server, name))).text()).toBe(text);
});
