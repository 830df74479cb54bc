import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import type { Browser } from '../harness/browser.ts';
import { shareServer } from '../harness/server-test.ts';

const { server, test } = await shareServer();

const guess = (guessed_timezone: string, timezone_offset_minutes = 0, is_dst: 0 | 1 = 0) => ({
  body: { guessed_timezone, timezone_offset_minutes, is_dst },
});

async function timezone(browser: Browser): Promise<string> {
  return (await browser.client.getAccountSettings()).account.settings.timezone;
}

test('the zone named by the browser is used, and the response says whether it changed', async () => {
  const { browser } = await signUpAndIn(server);
  const berlin = guess('Europe/Berlin', 480);
  expect(await browser.client.setTimezone(berlin)).toEqual({ timezone_updated: true, timezone: 'Europe/Berlin' });
  expect(await browser.client.setTimezone(berlin)).toEqual({ timezone_updated: false, timezone: 'Europe/Berlin' });
  expect(await timezone(browser)).toBe('Europe/Berlin');
});

test.each([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Etc/UTC', 'UTC'],
])('%s is stored as %s, which the list offers', async (name, offered) => {
  const { browser } = await signUpAndIn(server);
  await browser.client.setTimezone(guess('Asia/Tokyo'));
  expect(await browser.client.setTimezone(guess(name))).toEqual({ timezone_updated: true, timezone: offered });
  const { settings_options: options } = await browser.client.getAccountSettings();
  expect(options?.timezone_options).toContain(offered);
  expect(options?.timezone_options).not.toContain(name);
});

test('a stored former name is shown as the offered name', async ({ account: { browser } }) => {
  await server.context.db.updateTable('accounts').set({ timezone: 'America/Buenos_Aires' }).execute();
  expect(await timezone(browser)).toBe('America/Argentina/Buenos_Aires');
});

test.each(['', 'Mars/Olympus', 'local'])('the unknown zone %j changes nothing', async (name) => {
  const { browser } = await signUpAndIn(server);
  await browser.client.setTimezone(guess('Asia/Tokyo'));
  const kept = { timezone_updated: false, timezone: 'Asia/Tokyo' };
  expect(await browser.client.setTimezone(guess(name, -60))).toEqual(kept);
});

test('a chosen zone is kept until automatic detection is on again', async ({ account: { browser } }) => {
  const { client } = browser;
  await client.setAccountSettings({ body: { timezone_auto: false } });
  await client.setAccountSettings({ body: { timezone: 'Asia/Tokyo' } });
  const kept = { timezone_updated: false, timezone: 'Asia/Tokyo' };
  expect(await client.setTimezone(guess('Europe/Berlin'))).toEqual(kept);
  expect(await timezone(browser)).toBe('Asia/Tokyo');
  await client.setAccountSettings({ body: { timezone_auto: true } });
  const found = { timezone_updated: true, timezone: 'Europe/Berlin' };
  expect(await client.setTimezone(guess('Europe/Berlin'))).toEqual(found);
});

test.each([
  { guessed_timezone: 'Europe/Berlin' },
  { guessed_timezone: 'a'.repeat(101), timezone_offset_minutes: 0, is_dst: 0 },
  { guessed_timezone: 'Europe/Berlin', timezone_offset_minutes: 1441, is_dst: 0 },
  { guessed_timezone: 'Europe/Berlin', timezone_offset_minutes: 0, is_dst: 2 },
])('%j is refused and changes nothing', async (body) => {
  const { browser } = await signUpAndIn(server);
  const sent = browser.client.setTimezone({ body: body as ReturnType<typeof guess>['body'] });
  await expect(sent).rejects.toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  expect(await timezone(browser)).toBe('UTC');
});
