import type { Page } from '@playwright/test';
import { autoDeleteSlider, generalPath } from '../harness/general-screen.ts';
import { toast } from '../harness/screen.ts';
import { ageFiles } from '../harness/stored-files.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';
import { choose, link, openQueue, row, start } from '../harness/upload-queue.ts';

/** Reads as `photoexe.jpg` where the bidi control character takes effect. */
const disguised = 'photo\u202Egpj.txt';
const plain = 'photogpj.txt';

test('the file list shows file names without bidi control characters', async ({ page, person, site }) => {
  await uploadByKey(site, person, disguised);
  await page.goto('/dashboard/file-management');
  const name = page.getByText(plain, { exact: true });
  await expect(name).toBeVisible();
  await expect(name).toHaveCSS('unicode-bidi', 'isolate');
  expect(await page.locator('body').innerHTML()).not.toMatch(/\p{Bidi_Control}/u);
});

const markup = '<img src=x onerror=alert(1)>.txt';
/** Elements that a name would add if it were read as HTML. */
const added = (page: Page) => page.locator('[onerror]');

test('a file name with markup is shown as text in the queue, toasts, the list and a dialog', async ({
  page,
  person,
  site,
}) => {
  await openQueue(page);
  await choose(page, markup);
  await expect(row(page, markup)).toBeVisible();
  await start(page).click();
  await expect(toast(page, `${markup} uploaded successfully!`)).toBeVisible();
  await expect(link(page, markup)).toBeVisible();
  await expect(added(page)).toHaveCount(0);
  await page.goto('/dashboard/file-management');
  await expect(page.getByText(markup, { exact: true })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: `Select ${markup}`, exact: true })).toBeVisible();
  await expect(added(page)).toHaveCount(0);
  ageFiles(site, person, 30);
  await page.goto(generalPath);
  await autoDeleteSlider(page).press('ArrowRight');
  await expect(page.getByRole('dialog').getByText(markup, { exact: true })).toBeVisible();
  await expect(added(page)).toHaveCount(0);
});
