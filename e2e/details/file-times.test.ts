import { expect, type Page } from '@playwright/test';
import { box, deleteButton, fileRow, openList, test } from '../harness/library.ts';
import { pageHeading } from '../harness/screen.ts';
import { uploadByKey } from '../harness/test.ts';

test.use({ timezoneId: 'Europe/Berlin' });

const uploaded = (page: Page) => fileRow(page, 'large.txt').getByRole('time');
const zone = (page: Page, settings: object) =>
  page.route('**/get-account-settings', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { account: { settings: object } };
    Object.assign(body.account.settings, settings);
    await route.fulfill({ response: answer, json: body });
  });

/** Berlin is one or two hours ahead of Greenwich, Kolkata five and a half. */
const berlin = /\d{4}, \d\d:\d\d:\d\d (CET|CEST)$/;
const kolkata = /\d{4}, \d\d:\d\d:\d\d GMT\+5:30$/;

test('with an automatic time zone, hovering shows the exact time in the zone of the browser', async ({
  libraryPage: page,
}) => {
  await zone(page, { timezone_auto: true, timezone: 'Asia/Kolkata' });
  await openList(page);
  await uploaded(page).hover();
  await expect(page.getByRole('tooltip')).toHaveText(berlin);
  await page.getByRole('button', { name: 'Refresh' }).hover();
  await expect(page.getByRole('tooltip')).toBeHidden();
});

test('with a manual time zone, hovering shows the exact time in that zone', async ({ libraryPage: page }) => {
  await zone(page, { timezone_auto: false, timezone: 'Asia/Kolkata' });
  await openList(page);
  await uploaded(page).hover();
  await expect(page.getByRole('tooltip')).toHaveText(kolkata);
});

test('Escape hides the exact time and keeps the selection', async ({ libraryPage: page }) => {
  await openList(page);
  await box(page, 'small.txt').check();
  await uploaded(page).hover();
  await expect(uploaded(page)).toHaveAccessibleDescription(berlin);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toBeHidden();
  await expect(deleteButton(page)).toHaveText('Delete Selected (1)');
});

test('times are not in the tab order', async ({ libraryPage: page }) => {
  await openList(page);
  await expect(uploaded(page)).toBeVisible();
  expect(
    await fileRow(page, 'large.txt')
      .getByRole('time')
      .evaluateAll((times) => times.map((time) => (time as HTMLElement).tabIndex)),
  ).toEqual([-1]);
});

test.describe('on a touchscreen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });

  test('a tap shows the exact time inside the viewport until the user taps elsewhere', async ({
    libraryPage: page,
  }) => {
    await openList(page);
    const card = page.getByRole('listitem').filter({ hasText: 'large.txt' });
    await card.getByRole('time').tap();
    await expect(page.getByRole('tooltip')).toHaveText(berlin);
    await expect(page.getByRole('tooltip')).toBeInViewport({ ratio: 1 });
    await page.getByRole('heading', { level: 1 }).tap();
    await expect(page.getByRole('tooltip')).toBeHidden();
  });
});

test.describe('after the times were hidden', () => {
  const opened = (page: Page) => fileRow(page, 'kelp.txt').getByRole('time').first();

  test('relative times are up to date after navigation back to the list', async ({ page, person, site }) => {
    await uploadByKey(site, person, 'kelp.txt');
    await page.clock.install();
    await openList(page);
    await expect(opened(page)).toHaveText('just now');
    await page.getByRole('navigation').getByRole('link', { name: 'Account Info' }).first().click();
    await expect(pageHeading(page)).toHaveText('Account Info');
    await page.clock.fastForward('01:00:00');
    await page.getByRole('navigation').getByRole('link', { name: 'File Management' }).first().click();
    await expect(opened(page)).toHaveText('1 hour ago', { timeout: 5000 });
  });

  test('relative times are up to date when the tab becomes visible', async ({ page, person, site }) => {
    await uploadByKey(site, person, 'kelp.txt');
    await openList(page);
    await expect(opened(page)).toHaveText('just now');
    await page.clock.setFixedTime(Date.now() + 60 * 60 * 1000);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(opened(page)).toHaveText('1 hour ago', { timeout: 5000 });
  });
});
