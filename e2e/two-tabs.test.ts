import { pageHeading, toast } from './harness/screen.ts';
import { expect, test } from './harness/test.ts';

const welcome = 'Welcome back';

test('who signs out in one tab is signed out in the other', async ({ page, person, context }) => {
  await page.goto('/dashboard');
  await expect(page.getByText(`${welcome} ${person.email}`)).toBeVisible();
  const other = await context.newPage();
  await other.goto('/dashboard/account-info');
  await other.getByRole('button', { name: 'Account menu' }).click();
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('a tab that shows somebody else deletes nobody', async ({ page, person, context, signedOnce }) => {
  await page.goto('/dashboard/delete-account');
  await expect(page.getByText(`${welcome} ${person.email}`)).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
  await page.getByLabel("Type 'delete' to confirm").fill('delete');
  // The cookie becomes another person's, without a word to this tab.
  await context.clearCookies();
  await context.addCookies([...signedOnce.cookies]);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Another account is signed in in this browser now.')).toBeVisible();
  await expect(page.getByText(`${welcome} ${signedOnce.person.email}`)).toBeVisible();
  await expect(pageHeading(page)).toHaveText('Delete Account');
  await expect(page.getByLabel("Type 'delete' to confirm")).toBeHidden();
});
