import { holdBack } from '../harness/hold-back.ts';
import { favoriteCall, fileRow, listCall, openList, star, test } from '../harness/library.ts';
import { errorBox, toast } from '../harness/screen.ts';
import { expect } from '../harness/test.ts';

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
