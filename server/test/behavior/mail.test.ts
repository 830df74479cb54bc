/** The whole product and a real SMTP server: which emails are sent, when, and that each is sent once. */
import { expect } from 'vitest';
import { days, minutes } from '../../src/lib/clock.ts';
import { goodPassword } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { signUp, signUpForm } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const waiting = (server: TestServer) => server.context.db.selectFrom('outgoing_emails').selectAll().execute();

const codeIn = (text = '') => /^ {4}(\d{6})\r?$/m.exec(text)?.[1] ?? 'none';

test('an email is sent after the call that queued it has responded', async () => {
  await using mailServer = await startMailServer();
  await using server = await startServer({
    MAIL_URL: `smtp://127.0.0.1:${mailServer.port}`,
    CONTACT_EMAIL: 'us@example.com',
  });
  const email = mailServer.nextEmail();
  const { client } = openBrowser(server);
  await client.createAccount(signUpForm('ada@example.com'));
  const { headers, text, html } = await email;
  expect(headers.get('to')).toEqual(['ada@example.com']);
  expect(headers.get('from')).toEqual(['Holdfast <us@example.com>']);
  expect(html).toContain(codeIn(text));
  await client.verifyEmail({ body: { code: codeIn(text) } });
  await client.login({ body: { email: 'ada@example.com', password: goodPassword } });
});

test('sign-ups continue without the mail server, and each email arrives once afterwards', async () => {
  await using mailServer = await startMailServer();
  await using server = await startServer({ MAIL_URL: `smtp://127.0.0.1:${mailServer.port}` });
  await mailServer.stop();
  const people = Array.from({ length: 12 }, (_, at) => `person${at}@example.com`);
  await Promise.all(people.map((email) => signUp(server, email)));
  for (let count = 0; count < 3; count += 1) {
    server.clock.advance(minutes(1));
    await server.emailWorker.flush();
  }
  expect(mailServer.arrived).toEqual([]);
  expect(await waiting(server)).toHaveLength(people.length);
  await mailServer.start();
  // Longer than the longest pause after four tries; a code is valid for ten.
  server.clock.advance(minutes(5));
  await server.emailWorker.flush();
  expect(await waiting(server)).toEqual([]);
  server.clock.advance(days(1));
  await server.emailWorker.flush();
  expect(mailServer.arrived.flatMap(({ headers }) => headers.get('to') ?? []).toSorted()).toEqual(people.toSorted());
  expect(new Set(mailServer.arrived.flatMap(({ headers }) => headers.get('message-id') ?? [])).size).toBe(
    people.length,
  );
});

test('a late code still verifies, and a code that has expired meanwhile is not sent', async () => {
  await using mailServer = await startMailServer();
  await using server = await startServer({ MAIL_URL: `smtp://127.0.0.1:${mailServer.port}` });
  await mailServer.stop();
  await signUp(server, 'early@example.com');
  server.clock.advance(minutes(5));
  const late = await signUp(server, 'late@example.com');
  server.clock.advance(minutes(5));
  await mailServer.start();
  await server.emailWorker.flush();
  expect(mailServer.arrived.map(({ headers }) => headers.get('to'))).toEqual([['late@example.com']]);
  expect(await waiting(server)).toEqual([]);
  await late.client.verifyEmail({ body: { code: codeIn(mailServer.arrived[0]?.text) } });
});

test('a permanently refused email is given up, and the log omits the code in the refusal', async () => {
  let asked = 0;
  let code = '';
  await using mailServer = await startMailServer({
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        asked += 1;
        code = codeIn(text);
        done(Object.assign(new Error(`Your text with ${code} is not wanted`), { responseCode: 554 }));
      });
    },
  });
  await using server = await startServer({ MAIL_URL: `smtp://127.0.0.1:${mailServer.port}` });
  await signUp(server, 'ada@example.com');
  server.clock.advance(minutes(5));
  await server.emailWorker.flush();
  expect(asked).toBe(1);
  expect(await waiting(server)).toEqual([]);
  const log = server.log.join('\n');
  expect(code).toMatch(/^\d{6}$/);
  expect(log).toContain('Your text with … is not wanted');
  expect(log).toContain('ada@example.com');
  expect(log).not.toContain(code);
});

test('if an email cannot be queued, no code is stored and no account is created or replaced', async ({ server }) => {
  const { db } = server.context;
  const earlier = await signUp(server, 'ada@example.com', 'First-Password-1');
  const before = await db.selectFrom('email_codes').selectAll().execute();
  await db.schema.alterTable('outgoing_emails').renameTo('outgoing_emails_away').execute();
  server.clock.advance(minutes(3));
  await expect(signUp(server, 'eve@example.com')).rejects.toMatchObject({ status: 500 });
  await expect(signUp(server, 'ada@example.com', 'Second-Password-2')).rejects.toMatchObject({ status: 500 });
  await expect(earlier.client.verifyEmail({ body: { resend_code_to: 'ada@example.com' } })).rejects.toMatchObject({
    status: 500,
  });
  expect(await db.selectFrom('accounts').select('email').execute()).toEqual([{ email: 'ada@example.com' }]);
  expect(await db.selectFrom('email_codes').selectAll().execute()).toEqual(before);
});
