import { expect, test } from 'vitest';
import { type TestServer, startServer } from '../harness/start-server.ts';
import { shareServer } from '../harness/server-test.ts';

const { server: shared } = await shareServer();

const header = async (server: TestServer, path: string, name: string) =>
  (await fetch(server.url + path)).headers.get(name) ?? '';

const recaptcha = {
  CAPTCHA: 'recaptcha',
  PUBLIC_URL: 'http://files.example.com',
  RECAPTCHA_SITE_KEY: 'a site key',
  RECAPTCHA_SECRET: 'a secret',
};

const google = 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/';

test.each(['altcha', 'none'])('with %s the page policy allows no Google server', async (captcha) => {
  await using server = await startServer({ CAPTCHA: captcha });
  const policy = await header(server, '/sign-in', 'Content-Security-Policy');
  expect(policy).toMatch(/script-src 'self';.*connect-src 'self';/);
  expect(policy).not.toMatch(/google|gstatic|frame-src/);
});

test('with reCAPTCHA the page policy allows only its script, connections and frame', async () => {
  await using server = await startServer(recaptcha);
  const policy = (await header(server, '/sign-in', 'Content-Security-Policy')).split('; ');
  expect(policy.filter((part) => /google|gstatic/.test(part))).toEqual([
    `script-src 'self' ${google}`,
    `connect-src 'self' ${google}`,
    `frame-src ${google}`,
  ]);
});

test('pages may connect to the first origin of files, for the speed test', async () => {
  await using apart = await startServer({ FILE_ORIGINS: 'https://files.example.com, https://mirror.example.com' });
  expect(await header(apart, '/speed-test', 'Content-Security-Policy')).toContain(
    "; connect-src 'self' https://files.example.com;",
  );
  await using alone = await startServer();
  expect(await header(alone, '/speed-test', 'Content-Security-Policy')).toContain("; connect-src 'self';");
});

test('with reCAPTCHA the challenge contains the site key', async () => {
  await using server = await startServer(recaptcha);
  const answer = await fetch(`${server.url}/api/v3/session/captcha-challenge?action=login`);
  expect(await answer.json()).toEqual({ success: true, captcha: { kind: 'recaptcha', site_key: 'a site key' } });
});

test.each(['/reset-password?key=secret', '/reset-password/', '/Reset-Password?key=secret', '/verify-code'])(
  'the address of %s is sent to no other page',
  async (path) => {
    expect(await header(shared, path, 'Referrer-Policy')).toBe('no-referrer');
  },
);

test.each(['/', '/sign-in', '/dashboard', '/reset-password-more'])(
  '%s sends only its origin to other sites',
  async (path) => {
    expect(await header(shared, path, 'Referrer-Policy')).toBe('strict-origin-when-cross-origin');
  },
);
