import { docsAnchors, docsIndex, docsSection, openDocs } from '../harness/api-docs-screen.ts';
import { expect, test } from '../harness/test.ts';

test('the brand links to the home page', async ({ page }) => {
  await openDocs(page);
  await page.getByRole('link', { name: 'Holdfast' }).first().click();
  await expect(page).toHaveURL('/');
});

test('the index marks the section that was opened', async ({ page }) => {
  await openDocs(page);
  const current = docsIndex(page).locator('[aria-current]');
  await expect(current).toHaveText('Getting started');
  for (const anchor of docsAnchors) {
    await docsIndex(page).locator(`a[href="#${anchor}"]`).click();
    await expect(current).toHaveAttribute('href', `#${anchor}`);
    await expect(page).toHaveURL(`/api-docs#${anchor}`);
  }
});

test('on a phone the index is a menu', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openDocs(page);
  await expect(docsIndex(page)).toBeHidden();
  await page.getByRole('button', { name: 'On this page' }).click();
  await docsIndex(page).getByRole('link', { name: 'Toggle favorite' }).click();
  await expect(docsIndex(page)).toBeHidden();
  await expect(docsSection(page, 'Toggle favorite')).toBeInViewport();
});
