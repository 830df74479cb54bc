import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

const broken = 'Something went wrong.';
const accountCall = '**/get-account-info';

/** Returns a response that lacks a field the page reads, so the page throws while rendering. */
async function answerWithout(page: Page, part: 'limits' | 'info') {
  await page.route(accountCall, async (route) => {
    const answer = (await (await route.fetch()).json()) as { account: Record<string, unknown> };
    await route.fulfill({
      json: { ...answer, account: { ...answer.account, [part]: part === 'info' ? {} : undefined } },
    });
  });
}

test('the shell is still shown around a page that fails to render, and Try again requests the data again', async ({
  signedInPage: page,
  regular,
}) => {
  await answerWithout(page, 'limits');
  await page.goto('/dashboard/plan-info');
  await expect(pageHeading(page)).toHaveText(broken);
  await expect(page).toHaveTitle('Error · Holdfast');
  await expect(page.getByRole('banner')).toContainText(`Welcome back ${regular.email}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled();
  await expect(pageHeading(page)).toHaveText(broken);
  await page.unroute(accountCall);
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(pageHeading(page)).toHaveText('Plan Info');
});

test('an error page replaces a shell that fails to render, and Load again shows the page', async ({
  signedInPage: page,
}) => {
  await answerWithout(page, 'info');
  await page.goto('/dashboard');
  await expect(pageHeading(page)).toHaveText(broken);
  await expect(page).toHaveTitle('Error · Holdfast');
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/');
  await expectNoAxeFindings(page);
  await page.unroute(accountCall);
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(pageHeading(page)).toHaveText('Upload Files');
});
