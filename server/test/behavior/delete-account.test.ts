import { Readable } from 'node:stream';
import { expect } from 'vitest';
import type { BlobId } from '../../src/storage/blobs/blobs.ts';
import { goodPassword, signUpAndIn, cookieName } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { canSignIn } from '../harness/passwords.ts';
import { runFsck } from '../harness/run-fsck.ts';
import { signUp } from '../harness/sign-ups.ts';
import { type TestServer } from '../harness/start-server.ts';
import { fileUrl, formWith, sendForm, storedNameOf, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const signedOut = { status: 401, code: 'AUTH_REQUIRED' };
const statusOf = async (server: TestServer, name: string) => (await fetch(fileUrl(server, name))).status;

async function blobs(server: TestServer) {
  const rows = await server.context.db
    .selectFrom('blobs')
    .select(['size', 'used_by', 'unused_since'])
    .orderBy('size')
    .execute();
  return rows.map((row) => ({ ...row, unused_since: row.unused_since !== null }));
}

test('the response names the account, ends its cookie, and an email confirms it', async ({ server }) => {
  const { browser, email } = await signUpAndIn(server);
  expect(await browser.client.deleteAccount()).toEqual({ account_info: { email } });
  expect(browser.cookies.has(cookieName(server, 'session'))).toBe(false);
  expect((await server.mail.emails()).findLast(({ to }) => to === email)).toMatchObject({
    subject: 'Your Holdfast account was deleted',
  });
});

test('no session, key or password works after the deletion', async ({ server, account: { browser, email, byKey } }) => {
  const other = openBrowser(server);
  await other.client.login({ body: { email, password: goodPassword } });
  const kept = new Map(browser.cookies);
  await browser.client.deleteAccount();
  for (const [name, value] of kept) browser.cookies.set(name, value);
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  await expect(browser.client.deleteAccount()).rejects.toMatchObject(signedOut);
  await expect(other.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  await expect(byKey.getAccountInfo()).rejects.toMatchObject({ status: 401, code: 'AUTH_INVALID_KEY' });
  expect(await canSignIn(server, email)).toBe(false);
  const row = await server.context.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ password_hash: '', key_sealed: '' });
});

test('the links to its files return 404 from then on, and the files of others are kept', async ({ server }) => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const names = [await uploadFile(server, ada, 'one'), await uploadFile(server, ada, 'shared bytes')];
  const kept = await uploadFile(server, ben, 'shared bytes');
  for (const name of [...names, kept]) expect(await statusOf(server, name)).toBe(200);
  await ada.browser.client.deleteAccount();
  for (const name of names) {
    expect(await statusOf(server, name)).toBe(404);
    expect(await statusOf(server, `${name}.sha256`)).toBe(404);
    expect(await statusOf(server, `${name}.sha1`)).toBe(404);
  }
  expect(await (await fetch(fileUrl(server, kept))).text()).toBe('shared bytes');
});

test('the use count of each blob drops by the number of its deleted files', async ({ server }) => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  for (const bytes of ['a', 'bb', 'bb', 'bb', 'ccc', 'ccc']) await uploadFile(server, ada, bytes);
  await ada.browser.client.deleteFiles({ body: { files: [await uploadFile(server, ada, 'dddd')] } });
  for (const bytes of ['bb', 'bb', 'ccc', 'eeeee']) await uploadFile(server, ben, bytes);
  await ada.browser.client.deleteAccount();
  expect(await server.runJob('empty-accounts')).toEqual({ accounts: 1, files: 6 });
  expect(await blobs(server)).toEqual([
    { size: 1, used_by: 0, unused_since: true },
    { size: 2, used_by: 2, unused_since: false },
    { size: 3, used_by: 1, unused_since: false },
    { size: 4, used_by: 0, unused_since: true },
    { size: 5, used_by: 1, unused_since: false },
  ]);
});

test('the address is free at once, and its next account starts empty', async ({ server }) => {
  const first = await signUpAndIn(server);
  await uploadFile(server, first);
  await first.browser.client.deleteAccount();
  const second = await signUpAndIn(server, { email: first.email });
  const { account } = await second.browser.client.getAccountInfo();
  expect(account.usage).toEqual({ space_used: 0, slots_used: 0 });
  expect(account.info.api_key).not.toBe(first.apiKey);
  expect((await second.browser.client.getFileList({ query: {} })).files).toEqual([]);
});

test('an upload in progress cannot commit', async ({ server, account }) => {
  const boundary = 'edge';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello`;
  const begun = Promise.withResolvers<void>();
  const deleted = Promise.withResolvers<void>();
  async function* body() {
    yield Buffer.from(head);
    begun.resolve();
    await deleted.promise;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const sent = fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: { 'X-API-Key': account.apiKey, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Readable.toWeb(Readable.from(body())) as BodyInit,
    duplex: 'half',
  });
  await begun.promise;
  await account.browser.client.deleteAccount();
  deleted.resolve();
  expect((await sent).status).toBe(401);
  expect(await server.context.db.selectFrom('files').selectAll().execute()).toEqual([]);
  expect(await blobs(server)).toEqual([]);
});

test('concurrent uploads and deletions leave no file that can be fetched', async ({ server, account }) => {
  const uploads = Array.from({ length: 4 }, (_, i) => sendForm(server, account, formWith(`bytes ${i}`)));
  const deletions = [account.browser.client.deleteAccount(), account.browser.client.deleteAccount()];
  const results = await Promise.allSettled(deletions);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const { success, url } of await Promise.all(uploads))
    if (success) expect(await statusOf(server, storedNameOf(url))).toBe(404);
  await server.runJob('empty-accounts');
  const row = await server.context.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ space_used: 0, slots_used: 0 });
  expect((await blobs(server)).filter(({ used_by }) => used_by > 0)).toEqual([]);
});

test('a key or a sign-up alone cannot delete an account', async ({ server }) => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  await expect(ada.byKey.deleteAccount()).rejects.toMatchObject(signedOut);
  await ada.browser.client.deleteAccount();
  await ben.browser.client.getAccountInfo();
  const waiting = await signUp(server, 'waiting@example.com');
  await expect(waiting.client.deleteAccount()).rejects.toMatchObject(signedOut);
});

test('an account that cannot be emptied fails the job, and the others are emptied', async ({ server }) => {
  const people = [await signUpAndIn(server), await signUpAndIn(server), await signUpAndIn(server)];
  for (const person of people) {
    await uploadFile(server, person, `of ${person.email}`);
    await person.browser.client.deleteAccount();
  }
  const { db } = server.context;
  const first = await db.selectFrom('accounts').select('id').orderBy('id').executeTakeFirstOrThrow();
  await db.updateTable('accounts').set({ space_used: 1 }).where('id', '=', first.id).execute();
  await expect(server.runJob('empty-accounts')).rejects.toThrow(new RegExp(`account ${first.id} .*space_used`));
  const full = await db.selectFrom('accounts').select('id').where('slots_used', '>', 0).execute();
  expect(full).toEqual([first]);

  await runFsck(server, { repair: true });
  expect(await server.runJob('empty-accounts')).toEqual({ accounts: 1, files: 1 });
});

test('accounts that share bytes and their files are deleted concurrently', async ({ server }) => {
  const { db } = server.context;
  const people = [];
  for (let i = 0; i < 4; i += 1) people.push(await signUpAndIn(server));
  const blobIds = Array.from({ length: 500 }, (_, at) => `blob${at}` as BlobId);
  await db
    .insertInto('blobs')
    .values(blobIds.map((id) => ({ id, sha256: id, size: 1, used_by: 4, unused_since: null, created_at: 0 })))
    .execute();
  for (const [at, { email }] of people.entries()) {
    const { id } = await db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow();
    await db
      .insertInto('files')
      .values(blobIds.map((blob) => fileRow(id, blob, `${at}${blob}`)))
      .execute();
    await db.updateTable('accounts').set({ space_used: 500, slots_used: 500 }).where('id', '=', id).execute();
  }
  const [ada, ben, cyd, dan] = people;
  const names = (at: number) => blobIds.map((blob) => `${at}${blob}`);
  const done = await Promise.allSettled([
    ada?.browser.client.deleteAccount(),
    ben?.browser.client.deleteFiles({ body: { files: names(1) } }),
    cyd?.browser.client.deleteAccount(),
    dan?.browser.client.deleteFiles({ body: { files: names(3) } }),
  ]);
  expect(done.map(({ status }) => status)).toEqual(done.map(() => 'fulfilled'));
  await server.runJob('empty-accounts');
  expect(await db.selectFrom('blobs').select('used_by').distinct().execute()).toEqual([{ used_by: 0 }]);
});

const fileRow = (accountId: string, blobId: BlobId, name: string) => ({
  id: name,
  account_id: accountId,
  name,
  original_name: name,
  search_text: '',
  extension: '',
  size: 1,
  sha256: name,
  blob_id: blobId,
  uploaded_at: 0,
});
