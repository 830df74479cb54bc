import { rm, writeFile } from 'node:fs/promises';
import { expect, test } from '../harness/behind-relay.ts';
import { link, openQueue, row, start } from '../harness/upload-queue.ts';

const words = 'It cannot be read: it has changed since you chose it, or you have no permission. Choose it again.';

for (const { what, meet } of [
  { what: 'changed', meet: (path: string) => writeFile(path, 'built twice') },
  { what: 'deleted', meet: (path: string) => rm(path) },
])
  test(`a file that was ${what} after it was chosen fails with a message, and the next is uploaded`, async ({
    page,
    person,
    disk,
    relay,
  }) => {
    await openQueue(page);
    const pack = await disk.write('pack.zip', 'built once');
    await page.getByLabel('Files to upload').setInputFiles([pack, await disk.write('c.txt', 'c')]);
    await expect(row(page, 'c.txt')).toContainText('Ready');
    await meet(pack);
    await start(page).click();
    await expect(link(page, 'c.txt'), `${person.email} at ${relay.url}`).toBeVisible();
    await expect(row(page, 'pack.zip')).toContainText(words);
    await expect(page.getByText('No response from server.')).toHaveCount(0);
  });
