import { expect, type Page } from '@playwright/test';
import { fileRow, openList, test } from '../harness/library.ts';

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

test('with a manual time zone, hovering shows the exact time in that zone', async ({ libraryPage: page }) => {
  await zone(page, { timezone_auto: false, timezone: 'Asia/Kolkata' });
  await openList(page);
  await uploaded(page).hover();
  await expect(page.getByRole('tooltip')).toHaveText(kolkata);
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
