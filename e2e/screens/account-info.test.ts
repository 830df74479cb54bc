import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { fromNewAddress } from '../harness/client-address.ts';
import { toast } from '../harness/screen.ts';
import { spoilCall } from '../harness/spoil-call.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

const path = '/dashboard/account-info';
const apiKeyButton = (page: Page): Locator => page.getByRole('button', { name: 'Copy API key' });
const keyInForm = (page: Page): Locator => page.getByRole('switch', { name: 'Accept the key in upload forms' });

test('the page shows the account and its masked key, which the pointer reveals and a click copies', async ({
  signedInPage: page,
  regular,
  context,
}) => {
  await page.goto(path);
  await expect(apiKeyButton(page)).toHaveText(/hf_•{46}$/);
  await expect(page.getByText(regular.apiKey)).toBeHidden();
  await expect(page.getByRole('definition').nth(0)).toHaveText(regular.email);
  await expect(page.getByRole('definition').nth(1)).toHaveText(/^\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d /);

  await apiKeyButton(page).hover();
  await expect(apiKeyButton(page)).toContainText(regular.apiKey);
  await page.getByRole('heading', { name: 'Account Info' }).hover();
  await expect(apiKeyButton(page)).not.toContainText(regular.apiKey);
  await apiKeyButton(page).click();
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  await context.grantPermissions(['clipboard-read']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(regular.apiKey);
});

test('the key is there to start with: a command, a file for ShareX, its last use, and the plan', async ({
  page,
  person,
  site,
  context,
}) => {
  await page.goto(path);
  const key = page.getByRole('region', { name: 'API key' });
  await expect(key).toContainText('Last used: Never');
  await uploadByKey(site, person, 'kelp.txt', new Uint8Array(250_000));
  await page.reload();
  await expect(key).toContainText('Last used: just now');
  await expect(page.getByRole('region', { name: 'Plan Free' })).toContainText('0.25 MBof 500.00 MB');

  await expect(page.getByRole('main')).not.toContainText(person.apiKey);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy: Upload with curl' }).click();
  await expect(toast(page, 'Copied to clipboard!')).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`"X-API-Key: ${person.apiKey}"`);
  expect(command).toContain(`"${site.url}/api/v3/upload"`);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download .sxcu' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('Holdfast.sxcu');
  expect(JSON.parse(await readFile(await saved.path(), 'utf8'))).toMatchObject({
    RequestURL: `${site.url}/api/v3/upload`,
    Headers: { 'X-API-Key': person.apiKey },
  });
  await page.getByRole('main').getByRole('link', { name: 'API docs' }).press('Enter');
  await expect(page).toHaveURL(/\/api-docs$/);
});

test(
  'the switch lets uploads carry the key in their form, and returns if the server refuses',
  { tag: '@detail' },
  async ({ page, person, site }) => {
    const upload = async () => {
      const form = new FormData();
      form.append('api_key', person.apiKey);
      form.append('file', new Blob(['hello']), 'hello.txt');
      return (await fetch(`${site.url}/api/v3/upload`, { method: 'POST', headers: fromNewAddress(), body: form }))
        .status;
    };
    await page.goto(path);
    await expect(keyInForm(page)).not.toBeChecked();
    await expect(keyInForm(page)).toHaveAccessibleDescription(
      /may log what is in a form, so your key is easier to leak/,
    );
    expect(await upload()).toBe(401);

    const saved = page.waitForResponse('**/set-key-in-form');
    expect(await keyInForm(page).evaluate(clickBetweenPaints)).toBe(true);
    expect((await saved).status()).toBe(200);
    await expect(toast(page, 'Settings updated successfully')).toBeVisible();
    expect(await upload()).toBe(200);
    await page.reload();
    await expect(keyInForm(page)).toBeChecked();

    const error = { code: 'UNAVAILABLE', message: 'Not now, please.' };
    await spoilCall(page, '**/set-key-in-form', (route) =>
      route.fulfill({ status: 503, json: { success: false, error } }),
    );
    await keyInForm(page).click();
    await expect(toast(page, error.message)).toBeVisible();
    await expect(keyInForm(page)).toBeChecked();
    await expect(keyInForm(page)).toBeFocused();
  },
);

/** Clicks a switch and returns its state before the page can be painted again. Evaluated in the page. */
function clickBetweenPaints(control: Element): Promise<boolean> {
  if (!(control instanceof HTMLInputElement)) throw new Error('The switch is not an input.');
  control.click();
  // Neither a timer nor a painted frame comes between microtasks.
  const afterMicrotasks = (turns: number): Promise<boolean> =>
    Promise.resolve().then(() => (turns === 0 ? control.checked : afterMicrotasks(turns - 1)));
  return afterMicrotasks(100);
}
