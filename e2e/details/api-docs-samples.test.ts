import { docsIndex, docsSection, openDocs } from '../harness/api-docs-screen.ts';
import { expect, test } from '../harness/test.ts';

test('changing the language keeps the scroll position of the section', async ({ page }) => {
  await openDocs(page, '#delete-files');
  const read = docsSection(page, 'Delete files');
  await expect(read).toBeInViewport();
  const top = async () => Math.round((await read.boundingBox())?.y ?? Number.NaN);
  const before = await top();
  await page.getByRole('radio', { name: 'curl' }).evaluate((radio) => radio.focus({ preventScroll: true }));
  for (const name of ['JavaScript', 'Python', 'Java', 'ShareX']) {
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name, exact: true })).toBeChecked();
    expect(await top(), name).toBe(before);
  }
});

test('print hides the index and the language switch and cuts off no sample', async ({ page }) => {
  await openDocs(page);
  await page.emulateMedia({ media: 'print' });
  await expect(docsIndex(page)).toBeHidden();
  await expect(page.getByLabel('JavaScript')).toBeHidden();
  const cut = await page
    .locator('figure section')
    .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length);
  expect(cut).toBe(0);
});
