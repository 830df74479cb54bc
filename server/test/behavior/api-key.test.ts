import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect } from 'vitest';
import { minutes } from '../../src/lib/clock.ts';
import { goodPassword, signUpAndIn, cookieName } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { signUp } from '../harness/sign-ups.ts';
import { type TestServer } from '../harness/start-server.ts';
import { acceptSecret, checkSecret, newApiKey, openApiKey, sealApiKey } from '../../src/accounts/api-key.ts';
import { shareServer, test } from '../harness/server-test.ts';

const { server: shared } = await shareServer();

const infoPath = endpoints.getAccountInfo.path;
const withKey = (server: TestServer, key: string, more: Record<string, string> = {}) =>
  call(server, infoPath, { headers: { 'X-API-Key': key, ...more } });
const invalid = {
  status: 401,
  json: { success: false, error: { code: 'AUTH_INVALID_KEY', message: 'Invalid API key' } },
};

test('the key of an account calls key routes without a cookie', async ({ server }) => {
  const { apiKey, byKey, email } = await signUpAndIn(server);
  expect(apiKey).toMatch(/^hf_[0-9A-Za-z]{46}$/);
  expect((await byKey.getAccountInfo()).account.info).toMatchObject({ email, api_key: apiKey });
  await byKey.getFileList({ query: {} });
  await byKey.getAccountSettings();
  expect(await byKey.deleteFiles({ body: { files: [] } })).toEqual({ deleted: [] });
});

test.each([
  ['an empty key', () => ''],
  ['a mistyped checksum', (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')],
  ['a key of nobody', () => newApiKey()],
  ['a key without its prefix', (key: string) => key.slice(3)],
  ['two keys', (key: string) => `${key}, ${key}`],
  ['a key in another case', (key: string) => key.toUpperCase()],
  ['an endless key', () => `hf_${'a'.repeat(8_000)}`],
])('%s is refused', async (_what, change) => {
  const { apiKey } = await signUpAndIn(shared);
  expect(await withKey(shared, apiKey)).toMatchObject({ status: 200 });
  expect(await withKey(shared, change(apiKey))).toMatchObject(invalid);
});

test('the key of an unverified account is refused with ACCOUNT_NOT_VERIFIED', async ({ server }) => {
  await signUp(server, 'ada@example.com');
  const row = await server.context.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
  expect(await withKey(server, openApiKey(server.context, row.id, row.key_sealed))).toMatchObject({
    status: 401,
    json: { success: false, error: { code: 'ACCOUNT_NOT_VERIFIED' } },
  });
});

test('if a key and a session are both sent, only the key counts', async ({ server }) => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const Cookie = `${cookieName(server, 'session')}=${ada.browser.cookies.get(cookieName(server, 'session'))}`;
  expect(await call(server, infoPath, { headers: { Cookie } })).toMatchObject({ status: 200 });
  const both = await withKey(server, ben.apiKey, { Cookie });
  expect(both.json).toMatchObject({ account: { info: { email: ben.email } } });
  expect(await withKey(server, newApiKey(), { Cookie })).toMatchObject(invalid);
});

test('only a session receives the options of the settings', async ({ account: { browser, byKey } }) => {
  const bySession = await browser.client.getAccountSettings();
  expect(bySession.settings_options?.timezone_options).toContain('UTC');
  expect(await byKey.getAccountSettings()).toEqual({ account: bySession.account });
});

test.each(['Bearer', 'bearer', 'BEARER ', 'Bearer  '])('a key is accepted as a token after %o', async (scheme) => {
  const { apiKey, email } = await signUpAndIn(shared);
  const answer = await call(shared, infoPath, { headers: { Authorization: `${scheme} ${apiKey}` } });
  expect(answer).toMatchObject({ status: 200, json: { account: { info: { email } } } });
});

test('a Bearer token that is no key is refused, also beside a session', async ({ server, account: { browser } }) => {
  const Cookie = `${cookieName(server, 'session')}=${browser.cookies.get(cookieName(server, 'session'))}`;
  for (const Authorization of ['Bearer', 'Bearer ', `Bearer ${newApiKey()}`, 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x'])
    expect(await call(server, infoPath, { headers: { Authorization, Cookie } })).toMatchObject(invalid);
});

test('the same key in both headers is accepted, and different keys are refused', async ({ server }) => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const both = (Authorization: string) => withKey(server, ada.apiKey, { Authorization });
  expect(await both(`Bearer ${ada.apiKey}`)).toMatchObject({ status: 200 });
  expect(await both('Basic cHJveHk6c2VjcmV0')).toMatchObject({ status: 200 });
  for (const other of [ben.apiKey, newApiKey(), ''])
    expect(await both(`Bearer ${other}`)).toMatchObject({
      status: 400,
      json: { error: { code: 'INVALID_INPUT', message: expect.stringContaining('different keys') } },
    });
});

test('a key outside its headers is ignored', async ({ server, account: { apiKey } }) => {
  const nobody = { status: 401, json: { success: false, error: { code: 'AUTH_REQUIRED' } } };
  for (const name of ['X-API-Key', 'x_api_key', 'api_key', 'key'])
    expect(await call(server, `${infoPath}?${name}=${apiKey}`)).toMatchObject(nobody);
  const elsewhere = [
    { Authorization: apiKey },
    { Authorization: `Basic ${apiKey}` },
    { Cookie: `X-API-Key=${apiKey}` },
  ];
  for (const headers of elsewhere) expect(await call(server, infoPath, { headers })).toMatchObject(nobody);
  const body = { file: 'abcd', 'X-API-Key': apiKey, api_key: apiKey };
  expect(await call(server, endpoints.toggleFavorite.path, { method: 'POST', body })).toMatchObject(nobody);
});

test('a key still works after a logout', async ({ server, account: { apiKey, browser, email } }) => {
  await browser.client.logout();
  expect(await withKey(server, apiKey)).toMatchObject({ status: 200 });
  await browser.client.login({ body: { email, password: goodPassword } });
  expect((await browser.client.getAccountInfo()).account.info.api_key).toBe(apiKey);
});

test('using the key counts as activity, noted at most once a minute', async ({ server, account }) => {
  const lastActive = async () => {
    const row = await server.context.db.selectFrom('accounts').select('last_active_at').executeTakeFirstOrThrow();
    return row.last_active_at;
  };
  await account.byKey.getAccountInfo();
  const before = await lastActive();
  server.clock.advance(minutes(1));
  await account.byKey.getAccountInfo();
  expect(await lastActive()).toBe(before);
  server.clock.advance(1);
  await account.byKey.getAccountInfo();
  expect(await lastActive()).toBe(server.clock.now());
});

test('a server with another secret key does not start, whatever was sealed since, until it is accepted', async ({
  server,
}) => {
  const { apiKey, browser, byKey } = await signUpAndIn(server);
  const other = { ...server.context, secret: Buffer.from('of another installation, long enough') };
  const refused = /^SECRET_KEY cannot be used: it, or secret.key in DATA_DIR, is not the one/;
  const { db } = server.context;
  // An earlier version noted nothing.
  await db.deleteFrom('service_facts').where('name', '=', 'secret key').execute();
  await expect(checkSecret(other)).rejects.toThrow(refused);
  await checkSecret(server.context);
  const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  await db
    .updateTable('accounts')
    .set({ key_sealed: sealApiKey(other, id, apiKey) })
    .execute();
  await expect(checkSecret(other)).rejects.toThrow(refused);
  await acceptSecret(other);
  await checkSecret(other);
  expect((await byKey.getAccountInfo()).account.info.api_key).toBe('');
  const { account_info } = await browser.client.changeApiKey();
  expect((await browser.client.getAccountInfo()).account.info.api_key).toBe(account_info.new_api_key);
});
