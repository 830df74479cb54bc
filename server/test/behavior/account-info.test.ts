import { accountSettings, settingsOptions } from '@holdfast/contract/src/account.ts';
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

test('the account info contains plan, name, email, creation time and key', async ({ server }) => {
  const { browser } = await signUpAndIn(server, { email: 'ada.lovelace@example.com' });
  const reply = await browser.client.getAccountInfo();
  expect(endpoints.getAccountInfo.reply.parse(reply)).toEqual(reply);
  expect(reply.account).toEqual({
    info: {
      level: 'Free',
      name: 'ada.lovelace',
      email: 'ada.lovelace@example.com',
      time_created: new Date(server.clock.now()).toISOString(),
      api_key: expect.stringMatching(/^hf_/),
    },
    limits: {
      max_file_size: 100_000_000,
      space_quota: 500_000_000,
      slots_quota: 500,
      max_file_download_speed: 4,
    },
    usage: { space_used: 0, slots_used: 0 },
    key_in_form: false,
    key_last_used: null,
    id: expect.any(String),
  });
});

test('usage counts the bytes and files of this account alone', async ({ server }) => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const first = await uploadFile(server, ada, 'x'.repeat(1_000));
  await uploadFile(server, ada, '');
  await uploadFile(server, ben, 'y'.repeat(5));
  const usage = async () => (await ada.byKey.getAccountInfo()).account.usage;
  expect(await usage()).toEqual({ space_used: 1_000, slots_used: 2 });
  await ada.byKey.deleteFiles({ body: { files: [first] } });
  expect(await usage()).toEqual({ space_used: 0, slots_used: 1 });
});

test('a new account has the default settings', async () => {
  await using server = await startServer({ FILE_ORIGINS: 'https://cdn.example.com, https://mirror.example.com:8443' });
  const { browser } = await signUpAndIn(server);
  const { account, settings_options: options } = await browser.client.getAccountSettings();
  expect(accountSettings.parse(account.settings)).toEqual({
    timezone_auto: true,
    timezone: 'UTC',
    return_file_extension: true,
    continuous_uploading: false,
    inactivity_auto_delete_days: 0,
    preferred_domain: 'cdn.example.com',
    preferred_filename_length: 8,
  });
  expect(settingsOptions.parse(options)).toMatchObject({
    preferred_domain_options: ['cdn.example.com', 'mirror.example.com:8443'],
    inactivity_auto_delete_days_options: { min: 0, max: 90 },
    preferred_filename_length_options: { min: 4, max: 32 },
    timezone_options: expect.arrayContaining(['UTC', 'Europe/Berlin', 'America/New_York']),
  });
});

test('the region is the one that the operator set', async () => {
  await using server = await startServer({ REGION: 'Frankfurt' });
  expect(await openBrowser(server).client.serverInfo()).toEqual({ region: 'Frankfurt' });
});
