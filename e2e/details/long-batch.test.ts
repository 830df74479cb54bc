import { holdBack } from '../harness/hold-back.ts';
import { expect, test } from '../harness/test.ts';
import { choose, link, openQueue, row, start, uploadCall } from '../harness/upload-queue.ts';

const names = Array.from({ length: 25 }, (_, at) => `file-${String(at).padStart(2, '0')}.txt`);

test('stored files of a long batch are folded, but not under the pointer', async ({ signedInPage: page }) => {
  await openQueue(page);
  const sending = await holdBack(page, uploadCall);
  await choose(page, ...names);
  await start(page).click();
  for (const name of names.slice(0, 6)) {
    await expect(page.getByRole('button', { name: `Cancel ${name}` })).toBeVisible();
    sending.letGo();
  }
  await expect(page.getByText('5 files uploaded')).toBeVisible();
  await expect(link(page, 'file-04.txt')).toHaveCount(0);
  await expect(link(page, 'file-05.txt')).toBeVisible();

  await row(page, 'file-20.txt').hover();
  for (const name of names.slice(6, 11)) {
    await expect(page.getByRole('button', { name: `Cancel ${name}` })).toBeVisible();
    sending.letGo();
  }
  await expect(link(page, 'file-10.txt')).toBeVisible();
  await expect(page.getByText('5 files uploaded')).toBeVisible();
  await page.getByRole('heading', { name: 'Upload Files' }).hover();
  await expect(page.getByText('10 files uploaded')).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(link(page, 'file-00.txt')).toBeVisible();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(link(page, 'file-00.txt')).toHaveCount(0);

  for (const name of names.slice(11)) {
    await expect(page.getByRole('button', { name: `Cancel ${name}` })).toBeVisible();
    sending.letGo();
  }
  await expect(page.getByText('Uploaded files')).toBeVisible();
  await expect(page.getByText('25 uploaded', { exact: true })).toBeVisible();
});
