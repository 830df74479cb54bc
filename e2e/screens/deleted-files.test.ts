import type { Page } from '@playwright/test';
import { box, deleteButton, fileRows, openList, test, uploadAll } from '../harness/library.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { passTimeUntil, soon, stopClock } from '../harness/stop-clock.ts';
import { expect } from '../harness/test.ts';

const undo = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' });
const deleted = (page: Page) => page.getByRole('list', { name: 'Deleted files' }).getByRole('listitem');
const restoreButton = (page: Page, name: string) => page.getByRole('button', { name: `Restore ${name}` });

async function deleteFiles(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) await box(page, name).check();
  await deleteButton(page).click();
  await expect(toast(page, `Deleted ${names.length} file(s)`)).toBeVisible();
}

test('a deletion is undone by the button of its toast, and the newest one by Ctrl-Z', async ({
  page,
  site,
  person,
}) => {
  const [link = ''] = await uploadAll(site, person, 'a.txt', 'b.txt', 'c.txt', 'd.txt');
  await openList(page);
  await stopClock(page);
  await deleteFiles(page, 'a.txt', 'b.txt');
  expect((await fetch(link)).status).toBe(404);
  await undo(page).click();
  await expect(toast(page, 'Restored 2 file(s)')).toBeVisible();
  await expect(undo(page)).toBeDisabled();
  expect((await fetch(link)).status).toBe(200);
  await expect(fileRows(page)).toHaveText([/d\.txt/, /c\.txt/, /b\.txt/, /a\.txt/]);

  await deleteFiles(page, 'c.txt');
  await deleteFiles(page, 'd.txt');
  await expect(fileRows(page)).toHaveText([/b\.txt/, /a\.txt/]);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(fileRows(page)).toHaveText([/d\.txt/, /c\.txt/, /b\.txt/, /a\.txt/]);
});

test('Undo is offered for ten seconds, on other pages too', { tag: '@detail' }, async ({ page, site, person }) => {
  await uploadAll(site, person, 'a.txt');
  await openList(page);
  await stopClock(page);
  await deleteFiles(page, 'a.txt');
  await page.getByRole('link', { name: 'Recently Deleted' }).click();
  await expect(pageHeading(page)).toHaveText('Recently Deleted');
  await page.clock.runFor(9_500);
  await expect(undo(page)).toBeVisible();
  await passTimeUntil(page, 300, () => expect(undo(page)).toBeHidden(soon));
  await expect(restoreButton(page, 'a.txt')).toBeVisible();
});

test('deleted files are listed for a day, and restored one by one or together', async ({ page, site, person }) => {
  const links = await uploadAll(site, person, 'a.txt', 'b.txt', 'c.txt');
  await openList(page);
  await deleteFiles(page, 'a.txt', 'b.txt', 'c.txt');
  await page.getByRole('link', { name: 'Recently Deleted' }).click();
  await expect(deleted(page)).toHaveCount(3);
  await expect(deleted(page).filter({ hasText: 'b.txt' })).toContainText(
    /90\.00 B.*deleted just now.*2[34] hours left/,
  );
  await restoreButton(page, 'b.txt').click();
  await expect(toast(page, 'Restored 1 file(s)')).toBeVisible();
  await expect(deleted(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Restore all (2)' }).click();
  await expect(page.getByText('Nothing to restore')).toBeVisible();
  for (const link of links) expect((await fetch(link)).status).toBe(200);
  await page.getByRole('main').getByRole('link', { name: 'File Management' }).last().click();
  await expect(fileRows(page)).toHaveText([/c\.txt/, /b\.txt/, /a\.txt/]);
});

test('what does not fit stays deleted, with the reason', { tag: '@detail' }, async ({ page, site, person }) => {
  await uploadAll(site, person, 'a.txt');
  await openList(page);
  await deleteFiles(page, 'a.txt');
  site.fill(person.email, { bytes: 500_000_000, files: 1 });
  await undo(page).click();
  await expect(
    toast(page, 'Your account has too little space for these files. Delete others, or restore fewer.'),
  ).toBeVisible();
  await page.goto('/dashboard/deleted-files');
  await expect(restoreButton(page, 'a.txt')).toBeVisible();
  await expect(errorBox(page)).toHaveCount(0);
});
