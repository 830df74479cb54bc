import type { Page } from '@playwright/test';
import { expect, test } from '../harness/behind-relay.ts';
import type { DiskFolder } from '../harness/disk-folder.ts';
import { toast } from '../harness/screen.ts';
import { link, openQueue, row, start } from '../harness/upload-queue.ts';

const changed = 'It has changed since you chose it. Choose it again.';

async function chooseThree(page: Page, disk: DiskFolder): Promise<void> {
  const paths = [
    await disk.write('a.txt', 'a'),
    await disk.write('pack.zip', 'built once'),
    await disk.write('c.txt', 'c'),
  ] as const;
  await page.getByLabel('Files to upload').setInputFiles(paths);
  await expect(row(page, 'c.txt')).toContainText('Waiting');
}

const fates: readonly { readonly what: string; readonly meet: (disk: DiskFolder) => Promise<void> }[] = [
  { what: 'replaced', meet: (disk) => disk.rebuild('pack.zip', 'built twice') },
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
