import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import type { OneSetting } from '@holdfast/contract/src/account.ts';
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import type { Browser } from '../harness/browser.ts';
import { formWith, sendForm } from '../harness/uploads.ts';
import { shareServer } from '../harness/server-test.ts';

const mirrors = { FILE_ORIGINS: 'http://files.example.com,http://mirror.example.com:8080' };
const { server, test } = await shareServer(mirrors);

async function settings(browser: Browser) {
  return (await browser.client.getAccountSettings()).account.settings;
}

async function send(browser: Browser, body: string) {
  const answer = await browser.fetch(endpoints.setAccountSettings.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return { status: answer.status, json: (await answer.json()) as { error?: { code: string; message: string } } };
}

test.each<OneSetting>([
  { timezone_auto: false },
  { timezone: 'Europe/Berlin' },
  { continuous_uploading: true },
  { inactivity_auto_delete_days: 90 },
  { preferred_domain: 'mirror.example.com:8080' },
  { preferred_filename_length: 32 },
])('%j changes that setting and no other', async (setting) => {
  const { browser } = await signUpAndIn(server);
  const other = await signUpAndIn(server);
  const before = await settings(browser);
  expect(await browser.client.setAccountSettings({ body: setting })).toEqual({});
  expect(await settings(browser)).toEqual({ ...before, ...setting });
  expect(await settings(other.browser)).toEqual(before);
});

test.each([
  ['{"timezone_auto":1}', "'timezone_auto' must be true or false."],
  ['{"timezone":"Mars/Olympus"}', "'timezone' must be one of the offered time zones, such as Europe/Berlin."],
  ['{"inactivity_auto_delete_days":91}', "'inactivity_auto_delete_days' must be a whole number from 0 to 90."],
  ['{"preferred_filename_length":3}', "'preferred_filename_length' must be a whole number from 4 to 32."],
  [
    '{"preferred_domain":"evil.example.com"}',
    "'preferred_domain' must be one of files.example.com, mirror.example.com:8080.",
  ],
  ['{"level":"power"}', "There is no setting 'level'."],
  ['{"timezone_auto":false,"email":"eve@example.com"}', "There is no setting 'email'."],
  ['{"timezone_auto":false,"continuous_uploading":true}', 'Send exactly one setting.'],
  ['{}', 'Send exactly one setting.'],
])('%s is refused and changes nothing', async (body, message) => {
  const { browser } = await signUpAndIn(server);
  const before = await settings(browser);
  expect(await send(browser, body)).toMatchObject({ status: 400, json: { error: { code: 'INVALID_INPUT', message } } });
  expect(await settings(browser)).toEqual(before);
});

test('a time zone may be set by its former name', async ({ account: { browser } }) => {
  await browser.client.setAccountSettings({ body: { timezone: 'Europe/Kiev' } });
  expect((await browser.client.getAccountSettings()).account.settings.timezone).toBe('Europe/Kyiv');
});

test('links use the chosen domain, and the default domain follows the configuration', async () => {
  const account = await signUpAndIn(server);
  const { client } = account.browser;
  const hostOfLink = async () => new URL((await sendForm(server, account, formWith('hello'))).url).host;
  await client.setAccountSettings({ body: { preferred_domain: 'mirror.example.com:8080' } });
  expect(await hostOfLink()).toBe('mirror.example.com:8080');
  await client.setAccountSettings({ body: { preferred_domain: 'files.example.com' } });
  expect(await hostOfLink()).toBe('files.example.com');
  server.context.config.origins = {
    ...server.context.config.origins,
    files: ['http://new.example.com', 'http://files.example.com'],
  };
  expect(await hostOfLink()).toBe('new.example.com');
});
