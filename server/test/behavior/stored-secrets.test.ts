import { expect } from 'vitest';
import { cookieName, goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { newestResetKey, newPassword, resetForm } from '../harness/passwords.ts';
import { signUp } from '../harness/sign-ups.ts';
import { uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';
import { startServer } from '../harness/start-server.ts';
import { standardCost } from '../../src/lib/password-cost.ts';

test('the database holds no password, code, session token or API key that could be used', async ({ server }) => {
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

test('passwords are stored as argon2id with the documented cost, each with its own salt', async () => {
  await using server = await startServer({}, { passwordCost: standardCost });
  const [ann, bob, cleo] = ['ann@example.com', 'bob@example.com', 'cleo@example.com'];
  for (const email of [ann, bob, cleo]) await signUp(server, email, newPassword);
  const changing = await signUpAndIn(server);
  await changing.browser.client.changePassword({ body: { old_password: goodPassword, new_password: newPassword } });
  const { client } = openBrowser(server);
  await client.requestPasswordReset({ body: { email: cleo } });
  await client.resetPassword(resetForm(await newestResetKey(server, cleo), newPassword));

  const rows = await server.context.db.selectFrom('accounts').select('password_hash').execute();
  expect(rows).toHaveLength(4);
  const salts = rows.map(({ password_hash }) => {
    // 19 MiB, 2 passes, 1 lane; a salt of 16 bytes and a hash of 32.
    const [, salt] = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([\w+/]{22})\$[\w+/]{43}$/.exec(password_hash) ?? [];
    return salt ?? password_hash;
  });
  expect(salts.filter((salt) => salt.length !== 22)).toEqual([]);
  expect(new Set(salts).size).toBe(4);
});
