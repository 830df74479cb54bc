import type { Page } from '@playwright/test';
import { controlsMissedBy, expect, test } from '../harness/keyboard.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { goodPassword, uploadByKey } from '../harness/test.ts';

const phone = { width: 390, height: 800 };
const desk = { width: 1440, height: 900 };
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' });
const entry = (page: Page, name: string) => sidebar(page).getByRole('link', { name, exact: true });
const settings = (page: Page) => sidebar(page).getByRole('button', { name: 'Settings' });
const accountMenu = (page: Page) => page.getByRole('button', { name: 'Account menu' });

async function open(page: Page, path: string) {
  await page.goto(path);
  await expect(pageHeading(page)).toBeVisible();
}

test('the Tab key reaches every control, in both directions', async ({ signedInPage: page, site, regular }) => {
  test.slow();
  await uploadByKey(site, regular, 'kelp.txt');
  for (const path of ['', '/file-management', '/general', '/security'])
    for (const [size, key] of [
      [desk, 'Tab'],
      [phone, 'Shift+Tab'],
    ] as const) {
      await page.setViewportSize(size);
      await open(page, `/dashboard${path}`);
      await page.waitForLoadState('networkidle');
      expect(await controlsMissedBy(page, key), `${key} on '${path}'`).toEqual([]);
    }
});

test('sign-in works by keyboard alone', async ({ page, person, context, keyboard }) => {
  await context.clearCookies();
  await open(page, '/');
  await keyboard.tabTo(page.getByRole('banner').getByRole('link', { name: 'Sign In' }));
  await keyboard.press('Enter');
  await keyboard.expectAt(page.getByLabel('Email', { exact: true }));
  await keyboard.type(person.email);
  await keyboard.tabTo(page.getByLabel('Password', { exact: true }));
  await keyboard.type('Wrong-Horse-7');
  await keyboard.tabTo(page.getByRole('button', { name: 'Show password' }));
  await keyboard.press('Space');
  await keyboard.expectAt(page.getByRole('button', { name: 'Hide password' }));
  await keyboard.press('Space');
  await keyboard.tabTo(page.getByRole('link', { name: 'Forgot Password?' }));
  await keyboard.tabTo(page.getByRole('main').getByRole('button', { name: 'Sign In' }));
  await keyboard.press('Enter');
  // After a refusal the focus is in the error box, right above the fields.
  await expect(errorBox(page)).toHaveText('E-Mail or password incorrect.');
  await keyboard.expectFocusVisible();
  await keyboard.tabTo(page.getByLabel('Password', { exact: true }));
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type(goodPassword);
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  await keyboard.expectAt(pageHeading(page));
});

test('the first Tab focuses a link that skips the navigation', async ({ signedInPage: page, keyboard }) => {
  await open(page, '/dashboard');
  await keyboard.press('Tab');
  await keyboard.expectAt(page.getByRole('link', { name: 'Skip to content' }));
  await keyboard.press('Enter');
  await keyboard.expectAt(page.getByRole('main'));
  await keyboard.press('Tab');
  await keyboard.expectAt(page.getByRole('button', { name: 'browse files' }));
});

test('the account menu can be opened, traversed and closed, and signs out', async ({ page, person, keyboard }) => {
  await open(page, '/dashboard/plan-info');
  await expect(page.getByText(`Welcome back ${person.email}`)).toBeVisible();
  const logout = page.getByRole('button', { name: 'Logout' });
  await keyboard.tabTo(accountMenu(page));
  await keyboard.press('Enter', 'Tab', 'Tab');
  await keyboard.expectAt(logout);
  await keyboard.press('Escape');
  await expect(logout).toBeHidden();
  await keyboard.expectAt(accountMenu(page));
  await keyboard.press('ArrowDown', 'ArrowDown');
  await keyboard.expectAt(logout);
  await keyboard.press('ArrowDown', 'ArrowUp');
  await keyboard.expectAt(logout);
  await keyboard.press('Escape');
  await keyboard.press('Space', 'Tab', 'Enter');
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await keyboard.expectAt(pageHeading(page));
  await keyboard.tabBackTo(accountMenu(page));
  await keyboard.press('Enter', 'Tab', 'Tab', 'Enter');
  await expect(toast(page, 'You have been logged out!')).toBeVisible();
  await expect(page).toHaveURL(/:\d+\/$/);
  await keyboard.expectAt(pageHeading(page));
});

test('the menu of a phone traps the focus and returns it when closed', async ({ signedInPage: page, keyboard }) => {
  await page.setViewportSize(phone);
  await open(page, '/dashboard');
  const opener = page.getByRole('button', { name: 'Open navigation' });
  const menu = page.getByRole('dialog', { name: 'Navigation' });
  await keyboard.tabTo(opener);
  await keyboard.press('Enter');
  await expect(menu).toBeVisible();
  expect(await controlsMissedBy(page, 'Tab')).toEqual([]);
  await expect(menu.locator(':focus')).toHaveCount(1);
  await keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await keyboard.expectAt(opener);
  await keyboard.press('Space');
  await keyboard.tabTo(menu.getByRole('button', { name: 'Close' }));
  await keyboard.press('Enter');
  await expect(menu).toBeHidden();
  await keyboard.expectAt(opener);
  await keyboard.press('Enter');
  await keyboard.tabTo(settings(page));
  await keyboard.press('Enter');
  await keyboard.tabTo(entry(page, 'Security'));
  await keyboard.press('Enter');
  await expect(pageHeading(page)).toHaveText('Security');
  await expect(menu).toBeHidden();
  await keyboard.expectAt(pageHeading(page));
});

test('in a narrow window the bar of selected files does not cover the focused card', async ({
  ownPage: page,
  site,
  person,
  keyboard,
}) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await uploadByKey(site, person, name);
  await page.setViewportSize({ width: 390, height: 560 });
  await open(page, '/dashboard/file-management');
  const box = page.getByRole('checkbox', { name: 'Select c.txt' });
  await keyboard.tabTo(box);
  await box.evaluate((focused) => window.scrollBy(0, focused.getBoundingClientRect().bottom - innerHeight));
  await keyboard.press('Space');
  await expect(page.getByRole('region', { name: 'Selected files' })).toBeVisible();
  await keyboard.expectFocusVisible();
});
