import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type IngestStandIn, startIngest } from '../stand-ins/sentry-ingest.ts';
import { cookieName, goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { newestResetKey, newPassword, resetForm } from '../harness/passwords.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { onlyStored } from '../harness/stored-bytes.ts';

const placesOf = (ingest: IngestStandIn) =>
  ingest.itemsOf('event').map(({ tags }) => (tags as { where: string }).where);

test('an unexpected failure is reported once, without secrets, and does not delay the response', async () => {
  await using ingest = await startIngest();
  ingest.suffer('silent');
  await using server = await startServer({ SENTRY_DSN: ingest.dsn });
  const { browser, email, apiKey } = await signUpAndIn(server);
  await browser.client.requestPasswordReset({ body: { email } });
  const resetKey = await newestResetKey(server, email);
  const session = browser.cookies.get(cookieName(server, 'session')) ?? '';
  for (const table of ['files', 'reset_keys', 'sessions'])
    await sql`ALTER TABLE ${sql.table(table)} RENAME TO ${sql.table(`${table}_away`)}`.execute(server.context.db);
  await expect(browser.client.resetPassword(resetForm(resetKey))).rejects.toMatchObject({ status: 500 });
  const headers = { 'X-API-Key': apiKey };
  const body = { file: 'abcd' };
  const flip = await call(server, endpoints.toggleFavorite.path, { method: 'POST', body, headers });
  const cookie = `${cookieName(server, 'session')}=${session}`;
  const info = await call(server, `${endpoints.getAccountInfo.path}?key=${apiKey}`, { headers: { Cookie: cookie } });
  expect([flip.status, info.status]).toEqual([500, 500]);
  await ingest.hasReceived(3);
  expect(placesOf(ingest)).toEqual(['request', 'request', 'request']);
  const sent = ingest.received.join('\n');
  for (const secret of [goodPassword, newPassword, resetKey, apiKey, session, email]) {
    expect(secret).toBeTruthy();
    expect(sent).not.toContain(secret);
  }
});

test('a refusal is not reported', async () => {
  await using ingest = await startIngest();
  await using server = await startServer({ SENTRY_DSN: ingest.dsn });
  await call(server, endpoints.getAccountInfo.path);
  await call(server, endpoints.login.path, { method: 'POST', body: '{' });
  await call(server, '/no/such/page');
  server.context.reports.report(new Error('the last'), 'test');
  await ingest.hasReceived(1);
  expect(placesOf(ingest)).toEqual(['test']);
});

test('missing bytes are reported from the download', async () => {
  await using ingest = await startIngest();
  await using server = await startServer({ SENTRY_DSN: ingest.dsn });
  const name = await uploadFile(server, await signUpAndIn(server));
  await (await onlyStored(server)).remove();
  expect((await call(server, `/file/${name}`)).status).toBe(500);
  await ingest.hasReceived(1);
  expect(placesOf(ingest)).toEqual(['download']);
});

test('with SENTRY_DSN pages may connect to its origin only', async () => {
  await using ingest = await startIngest();
  await using server = await startServer({ SENTRY_DSN: ingest.dsn });
  const policy = (await call(server, '/')).headers.get('content-security-policy')?.split('; ') ?? [];
  expect(policy.filter((part) => part.includes(ingest.origin))).toEqual([`connect-src 'self' ${ingest.origin}`]);
});
