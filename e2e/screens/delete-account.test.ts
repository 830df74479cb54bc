import {
  askToDelete,
  beginDeletion,
  confirmDeletion,
  deleteAccountCall,
  deletionWord,
} from '../harness/delete-account-screen.ts';
import { holdBack } from '../harness/hold-back.ts';
import { grant } from '../harness/past-events.ts';
import { errorBox, toast } from '../harness/screen.ts';
import { signIn } from '../harness/sign-in.ts';
import { passTimeUntil, soon, stopClock } from '../harness/stop-clock.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

const goodbye = (email: string) => `Account ${email} deleted successfully. You will be logged out.`;

test(
  "deletion needs the word 'delete' after a warning, and can be canceled by keyboard",
  { tag: '@detail' },
  async ({ page, person, site }) => {
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/delete-account') && request.method() === 'DELETE') calls += 1;
    });
    await page.goto('/dashboard/delete-account');
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('Permanently delete your account and data?');
    await expect(deletionWord(page)).toBeHidden();
    await beginDeletion(page).press('Enter');
    await expect(deletionWord(page)).toBeFocused();
    await expect(page.getByText(`This immediately deletes ${person.email}:`)).toBeVisible();
    await expect(page.locator('#losses').getByRole('listitem')).toHaveCount(1);

    for (const typed of ['', 'delete it']) {
      await deletionWord(page).fill(typed);
      await confirmDeletion(page).click();
      await expect(deletionWord(page)).toHaveAccessibleDescription("Please type 'delete' to confirm");
      await expect(deletionWord(page)).toBeFocused();
    }
    await deletionWord(page).fill('delete');
    await expect(deletionWord(page)).toHaveAccessibleDescription('');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(deletionWord(page)).toBeHidden();
    await expect(beginDeletion(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(deletionWord(page)).toHaveValue('');
    expect(calls).toBe(0);

    await uploadByKey(site, person, 'kelp.txt', 'a'.repeat(1500));
    await uploadByKey(site, person, 'reef.txt', 'b'.repeat(1000));
    grant(site, person, 'power');
    await askToDelete(page);
    await expect(page.getByText('2 files (2.50 KB) and their links')).toBeVisible();
    await expect(page.getByText('the Power plan, given to you by the operator of this site')).toBeVisible();
  },
);

test('the account and its links are deleted, and the home page opens a second later', async ({
  page,
  person,
  site,
}) => {
  const link = await uploadByKey(site, person, 'kelp.txt');
  expect((await fetch(link)).status).toBe(200);
  const deleting = await holdBack(page, deleteAccountCall);
  await askToDelete(page);
  await deletionWord(page).fill('DELETE');
  await confirmDeletion(page).click();
  await expect(page.getByRole('button', { name: 'Deleting...' })).toBeDisabled();
  await expect(deletionWord(page)).toBeDisabled();
  await stopClock(page);
  deleting.letGo();
  await expect(toast(page, goodbye(person.email))).toBeVisible();
  await expect(deletionWord(page)).toBeHidden();
  await expect(beginDeletion(page)).toBeDisabled();
  await page.clock.runFor(500);
  await expect(page).toHaveURL(/\/dashboard\/delete-account$/);
  await page.clock.runFor(500);
  await expect(page).toHaveURL(/:\d+\/$/);
  const signInLink = page.getByRole('banner').getByRole('link', { name: 'Sign In' });
  await passTimeUntil(page, 10, () => expect(signInLink).toBeVisible(soon));
  // Two steps: a toast of the usual length would start to fade in the first and be gone after the second.
  await page.clock.runFor(2000);
  await page.clock.runFor(1400);
  await expect(toast(page, goodbye(person.email))).toBeVisible();
  await passTimeUntil(page, 200, () => expect(toast(page, goodbye(person.email))).toBeHidden(soon));
  await page.clock.resume();

  expect((await fetch(link)).status).toBe(404);
  await page.goto('/sign-in');
  await signIn(page, person);
  await expect(errorBox(page)).toHaveText('E-Mail or password incorrect.');
});
