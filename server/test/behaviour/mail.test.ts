/** The whole product and a real SMTP server: what is sent, when, and that it is sent once. */
import { expect, test } from 'vitest';
import { days, minutes } from '../../src/lib/clock.ts';
import { goodPassword } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { signUp, signUpForm } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const waiting = (server: TestServer) => server.context.db.selectFrom('letters').selectAll().execute();

const codeIn = (text = '') => /^ {4}(\d{6})\r?$/m.exec(text)?.[1] ?? 'none';

test('a letter leaves as soon as the call that queued it has answered', async () => {
  await using post = await startMailServer();
  await using server = await startServer({
    MAIL_URL: `smtp://127.0.0.1:${post.port}`,
    CONTACT_EMAIL: 'us@example.com',
  });
  const letter = post.nextLetter();
  const began = performance.now();
  const { client } = openBrowser(server);
  await client.createAccount(signUpForm('ada@example.com'));
  const { headers, text, html } = await letter;
  // Without being woken the post looks every five seconds.
  expect(performance.now() - began).toBeLessThan(4_000);
  expect(headers.get('to')).toEqual(['ada@example.com']);
  expect(headers.get('from')).toEqual(['Holdfast <us@example.com>']);
  expect(html).toContain(codeIn(text));
  await client.verifyEmail({ body: { code: codeIn(text) } });
  await client.login({ body: { email: 'ada@example.com', password: goodPassword } });
});

test('while the mail server is away sign-ups go on, and when it is back each letter arrives exactly once', async () => {
  await using post = await startMailServer();
  await using server = await startServer({ MAIL_URL: `smtp://127.0.0.1:${post.port}` });
  await post.stop();
  const people = Array.from({ length: 12 }, (_, at) => `person${at}@example.com`);
  await Promise.all(people.map((email) => signUp(server, email)));
  for (let count = 0; count < 3; count += 1) {
    server.clock.advance(minutes(1));
    await server.post.flush();
  }
  expect(post.arrived).toEqual([]);
  expect(await waiting(server)).toHaveLength(people.length);
  await post.start();
  server.clock.advance(minutes(1));
  await server.post.flush();
  expect(await waiting(server)).toEqual([]);
  server.clock.advance(days(1));
  await server.post.flush();
  expect(post.arrived.flatMap(({ headers }) => headers.get('to') ?? []).toSorted()).toEqual(people.toSorted());
  expect(new Set(post.arrived.flatMap(({ headers }) => headers.get('message-id') ?? [])).size).toBe(people.length);
});

test('a code that came late still verifies, and one that has expired meanwhile is not sent at all', async () => {
  await using post = await startMailServer();
  await using server = await startServer({ MAIL_URL: `smtp://127.0.0.1:${post.port}` });
  await post.stop();
  await signUp(server, 'early@example.com');
  server.clock.advance(minutes(5));
  const late = await signUp(server, 'late@example.com');
  server.clock.advance(minutes(5));
  await post.start();
  await server.post.flush();
  expect(post.arrived.map(({ headers }) => headers.get('to'))).toEqual([['late@example.com']]);
  expect(await waiting(server)).toEqual([]);
  await late.client.verifyEmail({ body: { code: codeIn(post.arrived[0]?.text) } });
});

test('what a mail server refuses for good is given up, and the log does not repeat the code it quotes', async () => {
  let asked = 0;
  let code = '';
  await using post = await startMailServer({
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
  await using server = await startServer({ MAIL_URL: `smtp://127.0.0.1:${post.port}` });
  await signUp(server, 'ada@example.com');
  server.clock.advance(minutes(5));
  await server.post.flush();
  expect(asked).toBe(1);
  expect(await waiting(server)).toEqual([]);
  const log = server.log.join('\n');
  expect(code).toMatch(/^\d{6}$/);
  expect(log).toContain('Your text with … is not wanted');
  expect(log).toContain('ada@example.com');
  expect(log).not.toContain(code);
});

test('what a mail server refuses for now is tried again', async () => {
  let asked = 0;
  await using post = await startMailServer({
    onRcptTo(_to, _session, done) {
      asked += 1;
      done(asked < 3 ? Object.assign(new Error('Later.'), { responseCode: 451 }) : null);
    },
  });
  await using server = await startServer({ MAIL_URL: `smtp://127.0.0.1:${post.port}` });
  await signUp(server, 'ada@example.com');
  await server.post.flush();
  expect(asked).toBe(1);
  for (let count = 0; count < 4; count += 1) {
    server.clock.advance(minutes(1));
    await server.post.flush();
  }
  expect(asked).toBe(3);
  expect(post.arrived).toHaveLength(1);
});

test('without its letter no code is stored, no account is made and none is replaced', async () => {
  await using server = await startServer();
  const { db } = server.context;
  const earlier = await signUp(server, 'ada@example.com', 'First-Password-1');
  const before = await db.selectFrom('email_codes').selectAll().execute();
  await db.schema.alterTable('letters').renameTo('letters_away').execute();
  server.clock.advance(minutes(3));
  await expect(signUp(server, 'eve@example.com')).rejects.toMatchObject({ status: 500 });
  await expect(signUp(server, 'ada@example.com', 'Second-Password-2')).rejects.toMatchObject({ status: 500 });
  await expect(earlier.client.verifyEmail({ body: { resend_code_to: 'ada@example.com' } })).rejects.toMatchObject({
    status: 500,
  });
  expect(await db.selectFrom('accounts').select('email').execute()).toEqual([{ email: 'ada@example.com' }]);
  expect(await db.selectFrom('email_codes').selectAll().execute()).toEqual(before);
});
