import { policyContents, policySection } from '../harness/policy-screen.ts';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test('print shows only the text, dark on light', async ({ page }) => {
  const ink = () => pageHeading(page).evaluate((heading) => getComputedStyle(heading).color);
  await page.goto('/terms-of-service');
  const onLight = await ink();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ink).not.toBe(onLight);
  await page.emulateMedia({ media: 'print' });
  expect(await ink()).toBe(onLight);
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(policyContents(page)).toBeHidden();
  await expect(policySection(page, 'Payments')).toBeVisible();
});
