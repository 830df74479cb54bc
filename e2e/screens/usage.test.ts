import { MB } from '../harness/megabyte.ts';
import { pageHeading } from '../harness/screen.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';
import { quotaTile, usagePath } from '../harness/usage-screen.ts';

test('an empty account shows a usage of zero', async ({ page, person }) => {
  await page.goto(usagePath);
  expect(person.email).toContain('@');
  await expect(quotaTile(page, 'Space used')).toContainText('0.00 MB');
  await expect(quotaTile(page, 'Space used')).toContainText('of 500.00 MB');
  await expect(quotaTile(page, 'Quota used')).toContainText('0.0%');
  await expect(quotaTile(page, 'Files')).toContainText('of 500 slots');
  await expect(quotaTile(page, 'Slots used')).toContainText('0.0%');
});

test('Plan Info and Usage link to each other', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/plan-info');
  await page.getByRole('link', { name: 'Usage in detail' }).press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/usage$/);
  await expect(pageHeading(page)).toHaveText('Usage');
  await expect(pageHeading(page)).toBeFocused();
  await page.getByRole('main').getByRole('link', { name: 'Plan Info' }).press('Enter');
  await expect(pageHeading(page)).toHaveText('Plan Info');
});

test('an upload is counted', async ({ page, person, site }) => {
  await uploadByKey(site, person, 'kelp.txt', new Uint8Array(250_000));
  await page.goto(usagePath);
  await expect(quotaTile(page, 'Space used')).toContainText('0.25 MB');
  await expect(quotaTile(page, 'Quota used')).toContainText('0.1%');
});

test('usage over the quota shows a note that the files are kept', async ({ page, person, site }) => {
  site.fill(person.email, { bytes: 2000 * MB, files: 20 });
  await page.goto(usagePath);
  await expect(quotaTile(page, 'Quota used')).toContainText('400.0%');
  await expect(page.getByText('Your files exceed your plan. They are all kept')).toBeVisible();
});

test("'Need more account space?' leads to the plans", async ({ signedInPage: page }) => {
  await page.goto(usagePath);
  const more = page.getByRole('link', { name: 'Need more account space?' });
  await expect(more).toHaveAttribute('href', '/plan-pricing');
  await more.press('Enter');
  await expect(page).toHaveURL(/\/plan-pricing$/);
  await expect(pageHeading(page)).toBeVisible();
});
