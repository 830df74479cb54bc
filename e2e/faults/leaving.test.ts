/** After a logout or a deletion no account data remains in the browser, regardless of the user's next step. */
import type { Page } from '@playwright/test';
import { holdBack, holdBackAnswers } from '../harness/hold-back.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { choose, link, openQueue, row, start, tray } from '../harness/upload-queue.ts';

const goodbye = 'You have been logged out!';
const ended = 'Your session has ended. Sign in again.';

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
}

/** Links inside the app, which keep everything that is in memory. */
const ways = {
  'a public page': async (page: Page) => {
    await page.getByRole('link', { name: 'Holdfast' }).first().click();
    await expect(pageHeading(page)).toHaveText('A link that holds.');
  },
  'another page of the dashboard': async (page: Page) => {
    await page.getByRole('navigation').getByRole('link', { name: 'Account Info' }).first().click();
    await expect(pageHeading(page)).toHaveText('Account Info');
  },
} as const;

for (const [where, goThere] of Object.entries(ways)) {
  test(`a slow logout clears the account from the page, even after navigation to ${where}`, async ({
    page,
    person,
  }) => {
    await openQueue(page);
    await choose(page, 'kelp.txt');
    await expect(row(page, 'kelp.txt')).toBeVisible();
    // Until the page can show its own dialog, the dialog of the browser is shown.
    await expect(page.locator('dialog[aria-describedby]')).toBeAttached();
    const ending = await holdBackAnswers(page, '*/session/logout');
    const agree = page.getByRole('dialog').getByRole('button', { name: 'Log out' });
    // The menu closes when the focus leaves it, which adding files may move at this moment.
    await expect(async () => {
      const item = page.getByRole('button', { name: 'Logout' });
      if (!(await item.isVisible())) await page.getByRole('button', { name: 'Account menu' }).click({ timeout: 1000 });
      await item.click({ timeout: 1000 });
      await expect(agree).toBeVisible({ timeout: 1000 });
    }).toPass();
    await agree.click();
    await goThere(page);
    ending.letGo();
    await expect(toast(page, goodbye)).toBeVisible();
    await expect(page).toHaveURL(/:\d+\/$/);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
    await expect(page.getByText(person.email)).toHaveCount(0);
    await expect(tray(page)).toBeHidden();
    await expect(page.getByText(ended)).toHaveCount(0);
    await page.goBack();
    await expect(page.getByText(person.email)).toHaveCount(0);
  });
}

test('a query that is refused during a logout shows no message', async ({ page, person }) => {
  await openQueue(page);
  await expect(page.getByText(person.email)).toBeVisible();
  const ending = await holdBackAnswers(page, '*/session/logout');
  const answered = page.waitForRequest('**/session/logout');
  await logOut(page);
  await answered;
  const refused = page.waitForResponse((answer) => answer.url().includes('/get-file-list') && answer.status() === 401);
  await page.getByRole('navigation').getByRole('link', { name: 'File Management' }).first().click();
  await refused;
  await expect(pageHeading(page)).toHaveText('File Management');
  ending.letGo();
  await expect(toast(page, goodbye)).toBeVisible();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByText(ended)).toHaveCount(0);
});

test('deleting the account during an upload shows no message about the ended session', async ({ page, person }) => {
  await page.clock.install();
  await openQueue(page);
  await choose(page, 'kelp.txt', 'reef.txt');
  // The second file keeps the batch running, so that data changed by the first one is refetched later.
  let files = 0;
  await page.route('**/api/v3/upload', (route) => ((files += 1) === 1 ? route.continue() : undefined));
  await start(page).click();
  await expect(link(page, 'kelp.txt')).toBeVisible();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
  await page.getByLabel("Type 'delete' to confirm").fill('delete');
  await page.getByRole('button', { name: 'Permanently delete my account' }).click();
  const ending = await holdBack(page, '**/session/logout');
  await page.getByRole('dialog').getByRole('button', { name: 'Permanently delete my account' }).click();
  await expect(toast(page, `Account ${person.email} deleted successfully. You will be logged out.`)).toBeVisible();
  const refused = page.waitForResponse('**/get-account-info');
  await page.clock.fastForward(6000);
  expect((await refused).status()).toBe(401);
  await expect(pageHeading(page)).toHaveText('Delete Account');
  ending.letGo();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByText(ended)).toHaveCount(0);
});
