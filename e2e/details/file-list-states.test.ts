import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import {
  box,
  deleteButton,
  favoriteCall,
  fileRow,
  fileRows,
  filterBox,
  listCall,
  openList,
  star,
  test,
} from '../harness/library.ts';
import { errorBox, toast } from '../harness/screen.ts';
import { tellOfChange } from '../harness/second-tab.ts';
import type { Site } from '../harness/site.ts';
import { expect, type Person, uploadByKey } from '../harness/test.ts';

test('a list that fails to load shows the reason and keeps the rows it had, and Try again loads it', async ({
  libraryPage: page,
}) => {
  const error = { code: 'INVALID_INPUT', message: 'The sea is too rough.' };
  await page.route(listCall, (route) => route.fulfill({ status: 400, json: { success: false, error } }));
  await openList(page);
  await expect(errorBox(page)).toContainText('The list could not be loaded');
  await expect(errorBox(page)).toContainText(error.message);
  await expect(page.getByText('0.0% of 500.00 MB')).toBeVisible();
  await expect(page.getByText('No files yet')).toBeHidden();
  await page.unroute(listCall);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(fileRow(page, 'large.txt')).toBeVisible();
  await expect(errorBox(page)).toBeHidden();
  await page.route(listCall, (route) => route.fulfill({ status: 400, json: { success: false } }));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(errorBox(page)).toContainText('The list could not be refreshed');
  await expect(fileRow(page, 'large.txt')).toBeVisible();
});

test('a star changes at once, and reverts if the server refuses', async ({ libraryPage: page }) => {
  const answer = Promise.withResolvers<void>();
  await page.route(favoriteCall, async (route) => {
    await answer.promise;
    await route.fulfill({ status: 502, body: 'Bad gateway' });
  });
  await openList(page);
  await expect(fileRow(page, 'large.txt')).toBeVisible();
  // Hold the refresh, which would also correct the star: the star must revert without it.
  const refreshing = await holdBack(page, listCall);
  await star(page, 'large.txt').click();
  await expect(star(page, 'large.txt')).toHaveAttribute('aria-pressed', 'true');
  await expect(star(page, 'large.txt')).toBeDisabled();
  await expect(star(page, 'large.txt')).toBeFocused();
  // A second press while the first call is pending makes no second call.
  await page.keyboard.press('Enter');
  answer.resolve();
  await expect(star(page, 'large.txt')).toHaveAttribute('aria-pressed', 'false');
  refreshing.letGo();
  await expect(toast(page, 'Failed to update favorite')).toBeVisible();
});

test.describe('while files arrive', () => {
  const newFiles = (page: Page, count: number) =>
    page.getByRole('button', { name: `${count} new file${count === 1 ? '' : 's'}: show` });

  /** The list with two files, and a third one that arrives from elsewhere. */
  async function openGrowingList(page: Page, site: Site, person: Person) {
    for (const name of ['kelp.txt', 'reef.txt']) await uploadByKey(site, person, name);
    await openList(page);
    await expect(fileRows(page)).toHaveText([/reef/, /kelp/]);
    return async (name: string) => {
      await uploadByKey(site, person, name);
      const loaded = page.waitForResponse(listCall);
      await tellOfChange(page, 'get-file-list');
      await loaded;
    };
  }

  test('rows keep their places under the pointer, and new ones wait behind a line', async ({ page, person, site }) => {
    const arrive = await openGrowingList(page, site, person);
    await box(page, 'kelp.txt').hover();
    await arrive('wrack.txt');
    await expect(newFiles(page, 1)).toBeVisible();
    await expect(fileRows(page)).toHaveText([/reef/, /kelp/]);
    await newFiles(page, 1).click();
    await expect(fileRows(page)).toHaveText([/wrack/, /reef/, /kelp/]);
    await expect(newFiles(page, 1)).toBeHidden();
    await box(page, 'kelp.txt').hover();
    await arrive('dulse.txt');
    await expect(newFiles(page, 1)).toBeVisible();
    await page.mouse.move(640, 10);
    await expect(fileRows(page)).toHaveText([/dulse/, /wrack/, /reef/, /kelp/]);
  });

  test.describe('on a touch screen', () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 1024, height: 768 } });

    test('rows keep their places until a tap shows the new ones', async ({ page, person, site }) => {
      const arrive = await openGrowingList(page, site, person);
      await arrive('wrack.txt');
      await expect(newFiles(page, 1)).toBeVisible();
      await expect(fileRows(page)).toHaveText([/reef/, /kelp/]);
      await newFiles(page, 1).tap();
      await expect(fileRows(page)).toHaveText([/wrack/, /reef/, /kelp/]);
    });
  });

  test('rows keep their places around the focus and while files are selected, until those are deleted', async ({
    page,
    person,
    site,
  }) => {
    const arrive = await openGrowingList(page, site, person);
    await star(page, 'kelp.txt').focus();
    await arrive('wrack.txt');
    await expect(newFiles(page, 1)).toBeVisible();
    await box(page, 'kelp.txt').check();
    await filterBox(page).focus();
    await arrive('dulse.txt');
    await expect(newFiles(page, 2)).toBeVisible();
    await expect(fileRows(page)).toHaveText([/reef/, /kelp/]);
    await deleteButton(page).click();
    await expect(fileRows(page)).toHaveText([/dulse/, /wrack/, /reef/]);
  });
});
