import { expect, test } from 'vitest';
import { cookieName, goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { signUp } from '../harness/sign-ups.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

test('the database holds no password, code, session token or API key that could be used', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  await uploadFile(server, account);
  const waiting = await signUp(server, 'waiting@example.com', 'Waiting-Password-1');
  const { db } = server.context;
  const rows = [];
  for (const table of [
    'accounts',
    'sessions',
    'email_codes',
    'outgoing_emails',
    'spent_challenges',
    'blobs',
    'files',
  ] as const)
    rows.push(...(await db.selectFrom(table).selectAll().execute()));
  const values = rows.flatMap((row) => Object.values(row)).map(String);
  expect(values).toContain('waiting@example.com');
  const secrets = [
    goodPassword,
    'Waiting-Password-1',
    await server.mail.newestSecretFor('waiting@example.com'),
    account.browser.cookies.get(cookieName(server, 'session')),
    waiting.cookies.get(cookieName(server, 'pending')),
    account.apiKey,
  ];
  for (const secret of secrets) {
    expect(secret).toBeTruthy();
    expect(values.filter((value) => value.includes(secret ?? ''))).toEqual([]);
  }
});
