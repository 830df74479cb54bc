import { askToDelete, beginDeletion, confirmDeletion, deletionWord } from '../harness/delete-account-screen.ts';
import { holdBack } from '../harness/hold-back.ts';
import { subscribe } from '../harness/past-events.ts';
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
