/** The first-run list: whose it is, what ticks each step, the test email, and how it ends. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@holdfast/contract/src/client.ts';
import type { StepName } from '@holdfast/contract/src/first-steps.ts';
import { expect } from 'vitest';
import { createInvitation, ownerLink } from '../../src/accounts/invitations.ts';
import { days, minutes } from '../../src/lib/clock.ts';
import { goodPassword, newEmail, signUpAndIn } from '../harness/accounts.ts';
import { backUpInto, restoreFrom, secret } from '../harness/backups.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { newFolder } from '../harness/new-place.ts';
import { test } from '../harness/server-test.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

async function signUp(server: TestServer, link: string | undefined) {
  const browser = openBrowser(server);
  const email = newEmail();
  const invitation = new URL(link ?? '').hash.replace('#invitation=', '');
  await browser.client.createAccount({ body: { email, password: goodPassword, password2: goodPassword, invitation } });
  const apiKey = (await browser.client.getAccountInfo()).account.info.api_key;
  return { browser, email, apiKey, byKey: createClient(fetch, { origin: server.url, apiKey }) };
}

const signUpOwner = async (server: TestServer) => signUp(server, (await ownerLink(server.context))?.link);

const listOf = async ({ client }: Browser) => (await client.getFirstSteps()).first_steps;

async function doneBy(browser: Browser): Promise<StepName[]> {
  const { steps = [] } = (await listOf(browser)) ?? {};
  return steps.filter(({ done }) => done).map(({ step }) => step);
}

test('the account of the owner link has a list of open steps, and nobody else has one', async ({ server }) => {
  const owner = await signUpOwner(server);
  expect(await listOf(owner.browser)).toEqual({
    steps: ['address', 'mail', 'backup', 'sign_up', 'upload', 'api_key'].map((step) => ({ step, done: false })),
    outbox: join(server.dataDir, 'outbox'),
  });
  expect((await owner.browser.client.getAccountInfo()).account.first_steps).toBe(true);

  const actor = { operator: 'ada', action: 'test' };
  const expiresAt = server.clock.now() + days(1);
  const invited = await createInvitation(server.context, actor, {
    level: 'house',
    mostUses: 1,
    expiresAt,
    verifies: true,
  });
  for (const { browser } of [await signUp(server, invited.link), await signUpAndIn(server)]) {
    expect(await listOf(browser)).toBeNull();
    for (const body of [{ copied: 'api_key' }, { send_email: true }, { dismiss: true }] as const)
      expect(await browser.client.changeFirstSteps({ body })).toEqual({ first_steps: null });
    expect((await browser.client.getAccountInfo()).account).not.toHaveProperty('first_steps');
  }
  expect(await server.mail.emails()).toEqual([]);
  expect(await doneBy(owner.browser)).toEqual([]);
  expect((await listOf(owner.browser))?.steps).toHaveLength(6);
});

test('an upload, a backup and a copied key tick their steps, which stay done, also after a restore', async () => {
  await using server = await startServer(secret);
  const owner = await signUpOwner(server);
  const name = await uploadFile(server, owner);
  await owner.browser.client.deleteFiles({ body: { files: [name] } });
  expect(await doneBy(owner.browser)).toEqual(['upload']);
  const backups = await newFolder();
  await backUpInto(backups, server);
  expect(await doneBy(owner.browser)).toEqual(['backup', 'upload']);
  await owner.browser.client.changeFirstSteps({ body: { copied: 'api_key' } });
  expect(await doneBy(owner.browser)).toEqual(['backup', 'upload', 'api_key']);

  await backUpInto(backups, server);
  await using restored = await startServer(secret);
  await restoreFrom(backups, restored);
  const again = openBrowser(restored);
  await again.client.login({ body: { email: owner.email, password: goodPassword } });
  expect(await doneBy(again)).toEqual(['backup', 'upload', 'api_key']);
});

test('PUBLIC_URL and a SIGN_UP that is set, also to the default, tick their steps, which stay done', async () => {
  await using server = await startServer({ PUBLIC_URL: 'http://holdfast.example', SIGN_UP: 'open' });
  const { browser } = await signUpOwner(server);
  expect(await doneBy(browser)).toEqual(['address', 'sign_up']);
  Object.assign(server.context.config, { publicUrl: null, isSignUpChosen: false });
  expect(await doneBy(browser)).toEqual(['address', 'sign_up']);
});

test('a dismissed list is gone, and the owner of a service begun anew has another', async ({ server }) => {
  const { browser } = await signUpOwner(server);
  await browser.client.changeFirstSteps({ body: { copied: 'api_key' } });
  expect(await browser.client.changeFirstSteps({ body: { dismiss: true } })).toMatchObject({ first_steps: null });
  await browser.client.changeFirstSteps({ body: { copied: 'api_key' } });
  expect(await listOf(browser)).toBeNull();
  expect((await browser.client.getAccountInfo()).account).not.toHaveProperty('first_steps');
  await browser.client.deleteAccount();
  const next = await signUpOwner(server);
  expect((await listOf(next.browser))?.steps).toHaveLength(6);
  expect(await doneBy(next.browser)).toEqual([]);
});

test('steps that are done at the same time are all noted', async ({ server }) => {
  const owner = await signUpOwner(server);
  await uploadFile(server, owner);
  const { client } = owner.browser;
  const copy = () => client.changeFirstSteps({ body: { copied: 'api_key' } });
  const send = () => client.changeFirstSteps({ body: { send_email: true } });
  await Promise.all([copy(), client.getFirstSteps(), send(), client.getFirstSteps()]);
  expect(await doneBy(owner.browser)).toEqual(['mail', 'upload', 'api_key']);
});

test('a test email goes to the owner, and the step is done once the mail server has accepted it', async () => {
  await using mailServer = await startMailServer();
  await using server = await startServer({ MAIL_URL: `smtp://127.0.0.1:${mailServer.port}`, SITE_NAME: 'Portree' });
  const { browser, email } = await signUpOwner(server);
  expect((await listOf(browser))?.outbox).toBeNull();
  const answer = await browser.client.changeFirstSteps({ body: { send_email: true } });
  expect(answer.email_problem).toBeUndefined();
  expect(answer.first_steps?.steps).toContainEqual({ step: 'mail', done: true });
  expect(mailServer.arrived).toHaveLength(1);
  expect(mailServer.arrived[0]?.headers.get('to')).toEqual([email]);
  expect(mailServer.arrived[0]?.headers.get('subject')).toEqual(['A test email from Portree']);
});

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

test('a mail server that refuses the email, or is away, leaves the step open, and the answer says why', async () => {
  let refuses = '';
  const unless = (what: string, error: Error) => (refuses === what ? error : null);
  await using mailServer = await startMailServer({
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(unless('password', refusal(535, 'Wrong password')), { user: 'ada' }),
    onMailFrom: (_from, _session, done) => done(unless('sender', refusal(553, 'Sender not allowed.'))),
    onRcptTo: (_to, _session, done) => done(unless('relay', refusal(550, 'Relay access denied'))),
    onData: (data, _session, done) => data.resume().on('end', () => done(unless('text', refusal(554, 'Is hunter2')))),
  });
  await using server = await startServer({ MAIL_URL: `smtp://ada:hunter2@127.0.0.1:${mailServer.port}` });
  const { browser } = await signUpOwner(server);
  const send = async () => (await browser.client.changeFirstSteps({ body: { send_email: true } })).email_problem;
  for (const [what, problem] of [
    ['password', 'The mail server refused the email: 535 Wrong password. Look at MAIL_URL.'],
    ['sender', 'The mail server refused the email: 553 Sender not allowed. Look at CONTACT_EMAIL, the sender.'],
    ['relay', 'The mail server refused the email: 550 Relay access denied. Look at MAIL_URL.'],
    ['text', 'The mail server refused the email: 554 Is …. Look at CONTACT_EMAIL, the sender.'],
  ] as const) {
    refuses = what;
    expect(await send()).toBe(problem);
  }
  await mailServer.stop();
  expect(await send()).toMatch(/^The mail server cannot be reached: .*ECONNREFUSED.*\. Look at MAIL_URL\.$/);
  expect(await doneBy(browser)).toEqual([]);
  refuses = '';
  await mailServer.start();
  expect(await send()).toBeUndefined();
  expect(await doneBy(browser)).toEqual(['mail']);
});

test('without a mail server the list names the outbox, and no test email is written there', async () => {
  const outbox = await newFolder();
  await using server = await startServer({ MAIL_URL: `outbox:${outbox}` });
  const { browser } = await signUpOwner(server);
  expect((await listOf(browser))?.outbox).toBe(outbox);
  const { email_problem } = await browser.client.changeFirstSteps({ body: { send_email: true } });
  expect(email_problem).toContain('MAIL_URL');
  expect(await readdir(outbox)).toEqual([]);
  expect(await doneBy(browser)).toEqual([]);
});

test('five test emails can be sent at once, and then one a minute', async () => {
  await using server = await startServer({}, { limits: 'real' });
  const { browser } = await signUpOwner(server);
  const send = () => browser.client.changeFirstSteps({ body: { send_email: true } });
  for (let count = 0; count < 5; count += 1) await send();
  await expect(send()).rejects.toMatchObject({ status: 429, code: 'TOO_MANY_ATTEMPTS' });
  server.clock.advance(minutes(1));
  await send();
  expect(await server.mail.emails()).toHaveLength(6);
});
