import {
  askToDelete,
  beginDeletion,
  confirmDeletion,
  deleteAccountCall,
  deletionWord,
} from '../harness/delete-account-screen.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

test('the Back button shows no account data after the deletion', async ({ page, person, site }) => {
  await uploadByKey(site, person, 'kelp.txt');
  await page.goto('/dashboard/file-management');
  await expect(page.getByText('kelp.txt').first()).toBeVisible();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await beginDeletion(page).click();
  await deletionWord(page).fill('delete');
  await expect(confirmDeletion(page)).toBeEnabled();
  await deletionWord(page).press('Enter');
  await expect(page).toHaveURL(/:\d+\/$/);
  await page.goBack();
  await expect(pageHeading(page)).toHaveText('Sign In');
  await expect(page.getByText(person.email)).toBeHidden();
});

for (const { what, answer, words } of [
  {
    what: "the server's error message is shown",
    answer: { status: 503, json: { success: false, error: { code: 'UNAVAILABLE', message: 'Not today.' } } },
    words: 'Not today.',
  },
  {
    what: 'a default message is shown for a response without a message',
    answer: { status: 502, body: 'Bad gateway' },
    words: 'Failed to delete account',
  },
]) {
  test(`${what}, and the deletion can be retried`, async ({ signedInPage: page }) => {
    await page.route(deleteAccountCall, (route) => route.fulfill(answer));
    await askToDelete(page);
    await deletionWord(page).fill('Delete');
    await confirmDeletion(page).click();
    await expect(toast(page, words)).toBeVisible();
    await expect(errorBox(page)).toHaveText('Failed to delete account. Please try again.');
    await expect(deletionWord(page)).toHaveValue('Delete');
    await expect(confirmDeletion(page)).toBeEnabled();
  });
}
