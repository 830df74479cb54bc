import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { goodPassword, cookieName } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { signUp, signUpForm } from '../harness/sign-ups.ts';
import { uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

test('no password, code, cookie or key is logged, also when the database fails', async ({ server, account }) => {
  await uploadFile(server, account);
  const waiting = await signUp(server, 'waiting@example.com', 'Waiting-Password-1');
  const code = await server.mail.newestSecretFor('waiting@example.com');
  const session = account.browser.cookies.get(cookieName(server, 'session')) ?? '';
  const pending = waiting.cookies.get(cookieName(server, 'pending')) ?? '';
  for (const table of ['files', 'email_codes', 'sessions', 'accounts'])
    await sql`ALTER TABLE ${sql.table(table)} RENAME TO ${sql.table(`${table}_away`)}`.execute(server.context.db);
  const statuses = [];
  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    statuses.push((await call(server, path, { method: 'POST', body, headers })).status);
  await post(endpoints.createAccount.path, signUpForm('new@example.com').body);
  await post(endpoints.login.path, { email: account.email, password: goodPassword });
  await post(endpoints.verifyEmail.path, { code }, { Cookie: `${cookieName(server, 'pending')}=${pending}` });
  await post(endpoints.logout.path, {}, { Cookie: `${cookieName(server, 'session')}=${session}` });
  await post(endpoints.toggleFavorite.path, { file: 'abcd' }, { 'X-API-Key': account.apiKey });
  await post(endpoints.toggleFavorite.path, { file: 'abcd' }, { Authorization: `Bearer ${account.apiKey}` });
  const form = new FormData();
  form.append('api_key', account.apiKey);
  form.append('file', new Blob(['hello']), 'hello.txt');
  statuses.push((await fetch(server.url + endpoints.upload.path, { method: 'POST', body: form })).status);
  const query = `?key=${account.apiKey}&code=${code}`;
  const headers = { Cookie: `${cookieName(server, 'session')}=${session}` };
  statuses.push((await call(server, endpoints.getAccountInfo.path + query, { headers })).status);
  expect(statuses).toEqual([500, 500, 500, 500, 500, 500, 500, 500]);
  const log = server.log.join('\n');
  expect(server.log.length).toBeGreaterThanOrEqual(5);
  for (const secret of [goodPassword, 'Waiting-Password-1', code, session, pending, account.apiKey]) {
    expect(secret).toBeTruthy();
    expect(log).not.toContain(secret);
  }
});
