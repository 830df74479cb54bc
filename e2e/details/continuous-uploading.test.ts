import type { Page } from '@playwright/test';
import { expect, test, uploadByKey } from '../harness/test.ts';

const path = '/dashboard/general';

const control = (page: Page) => page.getByRole('switch', { name: 'Continuous Uploading' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Turn on Continuous Uploading?' });
const previewedFiles = (page: Page) => dialog(page).getByRole('list', { name: 'Files that would be deleted first' });

async function ask(page: Page): Promise<void> {
  await page.goto(path);
  await control(page).click();
  await expect(dialog(page)).toBeVisible();
}

test('the dialog lists the ten oldest files and counts the rest', async ({ page, person, site }) => {
  const names = Array.from({ length: 13 }, (_, index) => `file-${index + 10}.txt`);
  for (const name of names) await uploadByKey(site, person, name);
  await ask(page);
  await expect(previewedFiles(page).getByRole('listitem')).toHaveText(
    names.slice(0, 10).map((name) => new RegExp(`^${name}.*11\\.00 B.*just now$`)),
  );
  await expect(dialog(page)).toContainText('These would be deleted first, from the top:');
  await expect(dialog(page)).toContainText('…and 3 files more, 13 files in total. Favorites are never deleted.');
  await expect(control(page)).not.toBeChecked();
});

test('Escape leaves Continuous Uploading off', async ({ page, person }) => {
  expect(person.email).toContain('@');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await ask(page);
  await expect(dialog(page)).toContainText('Nothing can be deleted yet');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(control(page)).toBeFocused();
  await expect(control(page)).not.toBeChecked();
  expect(sent.filter((url) => url.endsWith('set-account-settings'))).toEqual([]);
});
