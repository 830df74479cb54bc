import { changeKeyCall, generateKey, newKeyCode } from '../harness/change-api-screen.ts';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import type { Site } from '../harness/site.ts';
import { expect, test } from '../harness/test.ts';

async function answersTo(site: Site, key: string | null): Promise<number> {
  const { status } = await fetch(`${site.url}/api/v3/rest/get-account-info`, { headers: { 'X-API-Key': key ?? '' } });
  return status;
}

test('the page says that the old key stops working, and changes nothing before a click', async ({
  signedInPage: page,
  regular,
  site,
}) => {
  await page.goto('/dashboard/change-api');
  await expect(page.getByText('The key you have now stops working at once.')).toBeVisible();
  await expect(newKeyCode(page)).toBeHidden();
  expect(await answersTo(site, regular.apiKey)).toBe(200);
});

test('the new key is shown and works, and the old key is refused', async ({ page, person, site }) => {
  const generating = await holdBack(page, changeKeyCall);
  await page.goto('/dashboard/change-api');
  await generateKey(page).click();
  await expect(page.getByRole('button', { name: 'Generating new API key...' })).toBeDisabled();
  generating.letGo();
  await expect(toast(page, 'API key changed successfully!')).toBeVisible();
  await expect(newKeyCode(page)).toHaveText(/^hf_\w{46}$/);
  await expect(page.getByRole('heading', { name: 'Your new API key' })).toBeFocused();
  expect(await answersTo(site, await newKeyCode(page).textContent())).toBe(200);
  expect(await answersTo(site, person.apiKey)).toBe(401);
});

test('the new key can be copied by keyboard', async ({ page, person, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/dashboard/change-api');
  await generateKey(page).press('Enter');
  await expect(page.getByRole('heading', { name: 'Your new API key' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Copy API key' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await newKeyCode(page).textContent());
  expect(copied).not.toBe(person.apiKey);
});

test('Account Info shows the new key without a reload', async ({ page, person }) => {
  await page.goto('/dashboard/change-api');
  await generateKey(page).click();
  const key = (await newKeyCode(page).textContent()) ?? '';
  await page.getByRole('main').getByRole('link', { name: 'Account Info' }).click();
  // Both pages have a button with this name.
  await expect(pageHeading(page)).toHaveText('Account Info');
  await page.getByRole('button', { name: 'Copy API key' }).hover();
  await expect(page.getByText(key)).toBeVisible();
  await expect(page.getByText(person.apiKey)).toBeHidden();
});
