import { changeKeyCall, generateKey, newKeyCode } from '../harness/change-api-screen.ts';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import type { Site } from '../harness/site.ts';
import { expect, test } from '../harness/test.ts';

async function answersTo(site: Site, key: string): Promise<number> {
  const { status } = await fetch(`${site.url}/api/v3/rest/get-account-info`, { headers: { 'X-API-Key': key } });
  return status;
}

test('a new key ends the old one at once, can be copied by keyboard, and is in Account Info without a reload', async ({
  page,
  person,
  site,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const generating = await holdBack(page, changeKeyCall);
  await page.goto('/dashboard/change-api');
  await expect(page.getByText('Your current key stops working immediately.')).toBeVisible();
  await expect(newKeyCode(page)).toBeHidden();
  for (const name of ['Account Info', 'API docs'])
    await expect(page.getByRole('main').getByRole('link', { name })).toBeVisible();
  expect(await answersTo(site, person.apiKey)).toBe(200);

  await generateKey(page).press('Enter');
  await expect(page.getByRole('button', { name: 'Generating new API key...' })).toBeDisabled();
  generating.letGo();
  await expect(toast(page, 'API key changed successfully!')).toBeVisible();
  await expect(newKeyCode(page)).toHaveText(/^hf_\w{46}$/);
  const key = (await newKeyCode(page).textContent()) ?? '';
  expect(await answersTo(site, key)).toBe(200);
  expect(await answersTo(site, person.apiKey)).toBe(401);

  await expect(page.getByRole('heading', { name: 'Your new API key' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Copy API key' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);

  await page.getByRole('main').getByRole('link', { name: 'Account Info' }).click();
  // Both pages have a button with this name.
  await expect(pageHeading(page)).toHaveText('Account Info');
  await page.getByRole('button', { name: 'Copy API key' }).hover();
  await expect(page.getByText(key)).toBeVisible();
});
