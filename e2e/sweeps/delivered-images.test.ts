import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { expect, layouts, test } from '../harness/delivery.ts';

const extensions = ['png', 'apng', 'jpg', 'webp', 'gif', 'bmp', 'avif'];

const naturalSize = (page: Page) =>
  page.getByRole('img').evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);

for (const layout of layouts) {
  for (const extension of extensions) {
    test(`a picture is shown from ${layout}: ${extension}`, async ({ page, hosts, other }) => {
      const bytes = await readFile(new URL(`../fixtures/picture.${extension}`, import.meta.url));
      const link = await (await hosts(layout)).upload(`picture.${extension}`, bytes);

      await page.goto(link);
      await expect.poll(() => naturalSize(page)).toEqual([32, 24]);

      await other.show(page, `<img src="${link}" alt="A picture">`);
      await expect.poll(() => naturalSize(page)).toEqual([32, 24]);
    });
  }
}
