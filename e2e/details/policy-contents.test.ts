import { policyContents, policySection } from '../harness/policy-screen.ts';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

const phone = { width: 390, height: 800 };

for (const path of ['/terms-of-service', '/privacy-policy', '/dmca-policy']) {
  test(`the table of contents of ${path} links to every section`, async ({ page }) => {
    await page.goto(path);
    await expect(pageHeading(page)).toBeVisible();
    const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    expect(titles.length).toBeGreaterThan(6);
    await expect(policyContents(page).getByRole('link')).toHaveText(titles);
    for (const link of await policyContents(page).getByRole('link').all()) {
      const id = ((await link.getAttribute('href')) ?? '').slice(1);
      await expect(page.locator(`#${id}`).getByRole('heading')).toHaveText([(await link.textContent()) ?? '']);
    }
  });
}

test('the table of contents marks the last section at the end and the first at the top', async ({ page }) => {
  await page.goto('/dmca-policy');
  const marked = policyContents(page).locator('[aria-current=location]');
  await expect(marked).toHaveText(['Policy']);
  // The browser may still be scrolling for the previous key, and then ignores the next one.
  for (const [key, name] of [
    ['End', 'Designated agent'],
    ['Home', 'Policy'],
  ] as const)
    await expect(async () => {
      await page.keyboard.press(key);
      await expect(marked).toHaveText([name], { timeout: 2_000 });
    }).toPass();
});

test('a link from another policy scrolls to its section', async ({ page }) => {
  await page.goto('/terms-of-service');
  await policySection(page, 'Ending it').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page).toHaveURL(/\/privacy-policy#retention$/);
  await expect(policySection(page, 'How long it is kept')).toBeInViewport();
});

test('on a phone the table of contents is collapsed until it is opened', async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto('/dmca-policy');
  await expect(policyContents(page)).toBeHidden();
  await page.getByText('On this page', { exact: true }).locator('visible=true').press('Enter');
  await policyContents(page).getByRole('link', { name: 'Designated agent' }).click();
  await expect(policySection(page, 'Designated agent')).toBeInViewport();
});
