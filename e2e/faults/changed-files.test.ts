import type { Page } from '@playwright/test';
import { expect, test } from '../harness/behind-relay.ts';
import type { DiskFolder } from '../harness/disk-folder.ts';
import { toast } from '../harness/screen.ts';
import { storedFiles } from '../harness/stored-files.ts';
import { link, openQueue, row, start } from '../harness/upload-queue.ts';

const changed = 'It has changed since you chose it. Choose it again.';

async function chooseThree(page: Page, disk: DiskFolder, second = 'built once'): Promise<string> {
  const paths = [
    await disk.write('a.txt', 'a'),
    await disk.write('pack.zip', second),
    await disk.write('c.txt', 'c'),
  ] as const;
  await page.getByLabel('Files to upload').setInputFiles(paths);
  await expect(row(page, 'c.txt')).toContainText('Waiting');
  return paths[1];
}

const fates: readonly { readonly what: string; readonly meet: (disk: DiskFolder) => Promise<void> }[] = [
  { what: 'replaced', meet: (disk) => disk.rebuild('pack.zip', 'built twice') },
  { what: 'extended', meet: (disk) => disk.change('pack.zip', 'built once, and more') },
  { what: 'truncated', meet: (disk) => disk.change('pack.zip', '') },
  { what: 'deleted', meet: (disk) => disk.remove('pack.zip') },
];

for (const { what, meet } of fates)
  test(`a file that was ${what} after it was chosen fails with a message, and the next is uploaded`, async ({
    page,
    person,
    disk,
    relay,
  }) => {
    await openQueue(page);
    await chooseThree(page, disk);
    await meet(disk);
    await start(page).click();
    await expect(link(page, 'c.txt'), `${person.email} at ${relay.url}`).toBeVisible();
    await expect(link(page, 'a.txt')).toBeVisible();
    await expect(row(page, 'pack.zip')).toContainText(changed);
    await expect(toast(page, `pack.zip upload failed: ${changed}`)).toBeVisible();
    await expect(page.getByText('No response from server.')).toHaveCount(0);
    await expect(page).toHaveTitle('Upload Files · Holdfast');
  });

test('a changed file can be chosen again and uploaded', async ({ page, person, disk, site }) => {
  await openQueue(page);
  const path = await chooseThree(page, disk);
  await disk.rebuild('pack.zip', 'built twice');
  await start(page).click();
  await expect(row(page, 'pack.zip')).toContainText(changed);
  await page.getByRole('button', { name: 'Remove pack.zip' }).click();
  await page.getByLabel('Files to upload').setInputFiles(path);
  await start(page).click();
  await expect(link(page, 'pack.zip')).toBeVisible();
  const stored = (await storedFiles(site, person)).find((file) => file.original_name === 'pack.zip');
  expect(stored?.size).toBe('built twice'.length);
});
