import { askToDelete, beginDeletion, confirmDeletion, deletionWord } from '../harness/delete-account-screen.ts';
import { holdBack, holdBackAnswers } from '../harness/hold-back.ts';
import { outlastRetries } from '../harness/outlast-retries.ts';
import { subscribe } from '../harness/past-events.ts';
import { errorBox } from '../harness/screen.ts';
import { tellOfAnotherSession } from '../harness/second-tab.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

const accountCall = '**/get-account-info';

test('files are counted when the confirmation opens, and deletion is disabled until then', async ({
  page,
  person,
  site,
}) => {
  await page.goto('/dashboard/delete-account');
  await expect(beginDeletion(page)).toBeVisible();
  for (const name of ['kelp.txt', 'reef.txt', 'wrack.txt']) await uploadByKey(site, person, name);
  const deletions: string[] = [];
  page.on('request', (request) => request.method() === 'DELETE' && deletions.push(request.url()));
  const counting = await holdBack(page, accountCall);
  await beginDeletion(page).click();
  await expect(page.getByText('Counting your files...')).toBeVisible();
  await expect(confirmDeletion(page)).toBeDisabled();
  await deletionWord(page).fill('delete');
  await deletionWord(page).press('Enter');
  counting.letGo();
  await expect(page.getByText('3 files, 25.00 B in all, and every link to them')).toBeVisible();
  await expect(confirmDeletion(page)).toBeEnabled();
  await expect(deletionWord(page)).toHaveValue('delete');
  expect(deletions).toEqual([]);
});

test('a late response to an earlier request is not used as the file count', async ({ page, person, site }) => {
  await page.goto('/dashboard/delete-account');
  await expect(beginDeletion(page)).toBeVisible();
  const answers = await holdBackAnswers(page, '*/get-account-info');
  const asked = page.waitForRequest(accountCall);
  await tellOfAnotherSession(page);
  await asked;
  for (const name of ['kelp.txt', 'reef.txt']) await uploadByKey(site, person, name);
  await beginDeletion(page).click();
  answers.letGo();
  await expect(confirmDeletion(page)).toBeDisabled();
  answers.letGo(20);
  await expect(page.getByText('2 files, 16.00 B in all, and every link to them')).toBeVisible();
  await expect(confirmDeletion(page)).toBeEnabled();
});

test('deletion is disabled while the files cannot be counted, and Try again counts them', async ({
  signedInPage: page,
}) => {
  await page.clock.install();
  await page.goto('/dashboard/delete-account');
  await expect(beginDeletion(page)).toBeVisible();
  await page.route(accountCall, (route) => route.abort());
  await outlastRetries(page, accountCall, () => beginDeletion(page).click());
  await expect(errorBox(page)).toContainText('Your files could not be counted');
  await expect(confirmDeletion(page)).toBeDisabled();
  await page.unroute(accountCall);
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(confirmDeletion(page)).toBeEnabled();
  await expect(errorBox(page)).toBeHidden();
  await expect(deletionWord(page)).toBeFocused();
});

test('the warning names the subscription that ends, even if it is unpaid', async ({ page, person, site }) => {
  const words = page.getByText('the Basic subscription, without a refund for the remaining time');
  subscribe(site, person, {
    level: 'Basic',
    period: 'monthly',
    status: 'past_due',
    period_ends: '2036-01-01T00:00:00Z',
    ends_with_period: false,
    grace_ends: '2026-01-01T00:00:00Z',
  });
  await askToDelete(page);
  await expect(words).toBeVisible();
  site.putOnPlan(person.email, 'free');
  await askToDelete(page);
  await expect(words).toBeVisible();
});
