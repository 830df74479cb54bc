/** Two processes on one PostgreSQL whose clocks differ. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/read-environment.ts';
import { type Context, openContext } from '../../src/context.ts';
import { openAltcha } from '../../src/engines/captcha/altcha.ts';
import { minutes } from '../../src/lib/clock.ts';
import { deriveKey } from '../../src/lib/derive-key.ts';
import { goodPassword, newEmail } from '../harness/accounts.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { newPlace } from '../harness/new-place.ts';
import { resetForm } from '../harness/passwords.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { signUpForm } from '../harness/sign-ups.ts';
import { solve, solvedToken } from '../harness/solved-token.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';

/** Lets the clock of a process go ahead. */
function aheadBy(seconds: number): Record<string, string> {
  const module = `const now = Date.now; Date.now = () => now() + ${seconds * 1000};`;
  return { NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(module).toString('base64')}` };
}

test.runIf(postgres).each([2, 60, 420])('clocks that differ by %i seconds refuse no call', async (seconds) => {
  const { environment } = await newPlace();
  const settings = { DATABASE_URL: environment.DATABASE_URL ?? '', TRUST_PROXY: '127.0.0.1' };
  await using late = await startServerProcess(settings);
  const nodes = [await late.listening];
  await using early = await startServerProcess({ ...settings, ...aheadBy(seconds) });
  nodes.push(await early.listening);
  const statuses = [];
  // Fewer calls from each address than may come at once, to both processes in turn.
  for (let address = 1; address <= 10; address += 1)
    for (const turn of [1, 0, 1, 0]) {
      const headers = { 'X-Forwarded-For': `203.0.113.${address}` };
      statuses.push((await call({ url: nodes[turn] ?? '' }, '/api/v3/session/server-info', { headers })).status);
    }
  expect(statuses).toEqual(statuses.map(() => 200));
});

/** Two processes on one database. The clock of the second one is ahead. */
async function startNodes(seconds: number) {
  const opened = new AsyncDisposableStack();
  const { environment } = await newPlace();
  const mailServer = opened.use(await startMailServer());
  const settings = {
    DATABASE_URL: environment.DATABASE_URL ?? '',
    SECRET_KEY: 'the secret key of both processes',
    TRUST_PROXY: '127.0.0.1',
    CAPTCHA: 'altcha',
    ALTCHA_DIFFICULTY: '1',
    MAIL_URL: `smtp://127.0.0.1:${mailServer.port}`,
  };
  const late = opened.use(await startServerProcess(settings));
  const lateUrl = await late.listening;
  const early = opened.use(await startServerProcess({ ...settings, ...aheadBy(seconds) }));
  const config = readConfig({ ...environment, ...settings });
  const context = opened.use(await openContext(config, pino({ enabled: false })));
  return {
    late: { url: lateUrl },
    early: { url: await early.listening },
    context,
    /** Returns the text of the email that `send` causes. */
    emailOf: async (send: () => Promise<unknown>): Promise<string> => {
      const arriving = mailServer.nextEmail();
      await send();
      return (await arriving).text;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

let opened = 0;

/** A browser with an address of its own: a process takes only 4 calls per second from each. */
function openElsewhere(node: { readonly url: string }): Browser {
  opened += 1;
  return openBrowser(node, { 'X-Forwarded-For': `203.0.113.${opened}` });
}

/** The same person at another process. Without TLS the port is part of a cookie's name. */
function move(from: Browser, to: { readonly url: string }): Browser {
  const browser = openElsewhere(to);
  for (const [name, value] of from.cookies) browser.cookies.set(name.replace(/\d+$/, new URL(to.url).port), value);
  return browser;
}

test.runIf(postgres).each([2, 60, 420])(
  'a code, a reset link, a password and a bot check are valid in both of two processes %i seconds apart',
  async (seconds) => {
    await using site = await startNodes(seconds);
    const { context, emailOf } = site;
    const { db } = context;
    for (const [from, to] of [
      [site.late, site.early],
      [site.early, site.late],
    ] as const) {
      const email = newEmail();
      const first = openElsewhere(from);
      const signUp = { ...signUpForm(email).body, captcha_token: await solvedToken(from, 'create_account', first) };
      const [code = ''] = /\b\d{6}\b/.exec(await emailOf(() => first.client.createAccount({ body: signUp }))) ?? [];
      // Nine of its ten minutes pass.
      await db
        .updateTable('email_codes')
        .set((eb) => ({ expires_at: eb('expires_at', '-', minutes(9)) }))
        .execute();
      await move(first, to).client.verifyEmail({ body: { code } });

      // A bot check that was issued nine minutes ago.
      const captcha_token = await oldToken(context, minutes(9));
      const there = openElsewhere(to);
      await there.client.login({ body: { email, password: goodPassword, captcha_token } });
      const here = move(there, from);
      expect((await here.client.getAccountInfo()).account.info.email).toBe(email);

      // Of the 15 minutes for which the password counts, 14 pass.
      await db
        .updateTable('sessions')
        .set((eb) => ({ confirmed_at: eb('confirmed_at', '-', minutes(14)) }))
        .execute();
      await emailOf(() => here.client.changeApiKey());

      const asked = { email, captcha_token: await solvedToken(from, 'request_password_reset', first) };
      const link = await emailOf(() => first.client.requestPasswordReset({ body: asked }));
      const [, key = ''] = /#key=([\w-]+)/.exec(link) ?? [];
      await db
        .updateTable('reset_keys')
        .set((eb) => ({ expires_at: eb('expires_at', '-', minutes(29)) }))
        .execute();
      await emailOf(() => there.client.resetPassword(resetForm(key)));
    }
  },
);

/** A solved bot check that a process issued some time ago. */
async function oldToken({ db, clock, secret }: Context, ago: number): Promise<string> {
  const then = () => clock.now() - ago;
  const issuer = openAltcha({
    secret: deriveKey(secret, 'bot check').toString('hex'),
    db,
    clock: { now: then, steadyNow: then },
    difficulty: 1,
  });
  return solve(await issuer.challenge('login'));
}

test.runIf(postgres)('a server whose clock is seven minutes ahead says so at its start, and serves', async () => {
  const { environment } = await newPlace();
  const settings = { DATABASE_URL: environment.DATABASE_URL ?? '', METRICS_PORT: '0' };
  await using server = await startServerProcess({ ...settings, ...aheadBy(420) });
  await server.listening;
  const logged = () => server.log.join('\n');
  await expect
    .poll(logged)
    .toMatch(/ALARM: the clock of this machine is not that of the database: it is 4(19|2\d) seconds/);
  await expect.poll(logged).toContain('the private port is open');
  const [, url] = /"url":"([^"]+)"/.exec(logged()) ?? [];
  const answer = await fetch(`${url}/readyz`);
  expect({ status: answer.status, body: await answer.text() }).toEqual({
    status: 200,
    body: expect.stringMatching(/^degraded\n[^]*clock: it is 4(19|2\d) seconds ahead, so no jobs run here\n/) as string,
  });
});
