import type { Page } from '@playwright/test';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { holdBack } from '../harness/hold-back.ts';
import { expect, keyboardOf, test } from '../harness/keyboard.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { startSite } from '../harness/site.ts';
import { signUpAndIn } from '../harness/test.ts';

test.use({ timezoneId: 'Europe/Berlin' });

const settingsCall = '**/api/v3/rest/get-account-settings';
const saved = 'Settings updated successfully';
const manual = (page: Page) => page.getByRole('button', { name: /^Manual Timezone/ });
const search = (page: Page) => page.getByRole('combobox', { name: 'Search Manual Timezone' });

async function open(page: Page) {
  await page.goto('/dashboard/general');
  await expect(pageHeading(page)).toHaveText('General Settings');
  await expect(page.getByRole('slider').first()).toBeVisible();
}

test('Space toggles each switch, which keeps the focus', async ({ ownPage: page, keyboard }) => {
  await open(page);
  for (const [name, on] of [
    ['Automatic Timezone', false],
    ['Include Extensions', false],
  ] as const) {
    const control = page.getByRole('switch', { name });
    await keyboard.tabTo(control);
    await keyboard.press('Space');
    await expect(toast(page, saved).last()).toBeVisible();
    await expect(control).toBeChecked({ checked: on });
    await keyboard.expectAt(control);
  }
});

test('Continuous Uploading is confirmed by keyboard, and the focus returns to the switch', async ({
  ownPage: page,
  keyboard,
}) => {
  await open(page);
  const control = page.getByRole('switch', { name: 'Continuous Uploading' });
  const dialog = page.getByRole('dialog', { name: 'Turn on Continuous Uploading?' });
  await keyboard.tabTo(control);
  await keyboard.press('Space');
  await keyboard.expectAt(dialog.getByRole('heading'));
  await keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await keyboard.expectAt(control);
  await keyboard.press('Space');
  await keyboard.tabTo(dialog.getByRole('button', { name: 'Cancel' }));
  await keyboard.press('Enter');
  await keyboard.expectAt(control);
  await expect(control).not.toBeChecked();
  await keyboard.press('Space');
  await expect(dialog).toContainText('Nothing can be deleted yet');
  await keyboard.tabTo(dialog.getByRole('button', { name: 'Turn on' }));
  await keyboard.press('Enter');
  await expect(control).toBeChecked();
  await keyboard.expectAt(control);
  await keyboard.press('Space');
  await expect(control).not.toBeChecked();
  await keyboard.expectAt(control);
});

for (const { name, key, at } of [
  { name: 'Filename Length', key: 'ArrowRight', at: '9 characters' },
  { name: 'Filename Length', key: 'ArrowLeft', at: '7 characters' },
  { name: 'Filename Length', key: 'Home', at: '4 characters' },
  { name: 'Filename Length', key: 'End', at: '32 characters' },
]) {
  test(`${key} moves '${name}' to ${at}, which is saved`, async ({ ownPage: page, keyboard }) => {
    await open(page);
    const slider = page.getByRole('slider', { name });
    await keyboard.tabTo(slider);
    await keyboard.press(key);
    await expect(slider).toHaveAttribute('aria-valuetext', at);
    await expect(toast(page, saved)).toBeVisible();
    await keyboard.expectAt(slider);
    await page.reload();
    await expect(slider).toHaveAttribute('aria-valuetext', at);
  });
}

test('a time zone can be searched and chosen, and Escape changes nothing', async ({ ownPage: page, keyboard }) => {
  await open(page);
  await keyboard.tabTo(page.getByRole('switch', { name: 'Automatic Timezone' }));
  await keyboard.press('Space');
  await keyboard.tabTo(manual(page));
  await keyboard.press('Enter');
  await keyboard.expectAt(search(page));
  await keyboard.type('america');
  await keyboard.press('ArrowDown', 'ArrowUp', 'Escape');
  await expect(search(page)).toBeHidden();
  await keyboard.expectAt(manual(page));
  await expect(manual(page)).toHaveText('Europe/Berlin');
  await keyboard.press('Space');
  await keyboard.type('tokyo');
  await keyboard.press('Enter');
  await expect(search(page)).toBeHidden();
  await expect(manual(page)).toHaveText('Asia/Tokyo');
  await keyboard.expectAt(manual(page));
  // Tab leaves the list for its button, and the next Tab continues from there.
  await keyboard.press('Enter', 'Tab');
  await expect(search(page)).toBeHidden();
  await keyboard.expectAt(manual(page));
  await keyboard.press('Tab');
  await keyboard.expectAt(page.getByRole('switch', { name: 'Include Extensions' }));
});

test('the arrow keys choose the link domain', async ({ browser }) => {
  const port = String(await freePort());
  const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  await using site = await startSite({ PORT: port, PUBLIC_URL: origins[0] ?? '', FILE_ORIGINS: origins.join() });
  await using context = await browser.newContext({ baseURL: site.url });
  await signUpAndIn(site, context);
  const page = await context.newPage();
  const keyboard = keyboardOf(page);
  await open(page);
  const domain = page.getByLabel('Default Link Domain');
  await keyboard.tabTo(domain);
  await keyboard.press('ArrowDown');
  await expect(toast(page, saved)).toBeVisible();
  await expect(domain).toHaveValue(`127.0.0.1:${port}`);
  await keyboard.expectAt(domain);
});

test('settings that failed to load can be loaded again, and the focus is visible', async ({
  ownPage: page,
  keyboard,
}) => {
  await page.route(settingsCall, (route) => route.fulfill({ status: 404, json: { success: false } }));
  await page.goto('/dashboard/general');
  await expect(errorBox(page)).toBeVisible();
  await keyboard.tabTo(page.getByRole('button', { name: 'Try again' }));
  await page.unroute(settingsCall);
  const loading = await holdBack(page, settingsCall);
  await keyboard.press('Enter');
  loading.letGo();
  await expect(page.getByRole('slider').first()).toBeVisible();
  await keyboard.expectFocusVisible();
});
