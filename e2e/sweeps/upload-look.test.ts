import type { Page } from '@playwright/test';
import { expectAccessibleWithoutOverflow } from '../harness/axe.ts';
import { holdBack } from '../harness/hold-back.ts';
import { expect, test } from '../harness/test.ts';
import { carried, choose, dropSign, link, openQueue, row, start, tray, uploadCall } from '../harness/upload-queue.ts';

test.beforeEach(async ({ signedInPage: page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openQueue(page);
});

/** Fills the queue with a file in each state, one of them with a plan warning. */
async function fillQueue(page: Page) {
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'setup.exe', 'kelp.txt', 'canceled.txt', 'moving.txt', 'waiting.txt', 'warned.exe');
  await start(page).click();
  sending.letGo(2);
  await expect(link(page, 'kelp.txt')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel canceled.txt' }).click();
  await expect(page.getByRole('button', { name: 'Cancel moving.txt' })).toBeVisible();
  return sending;
}

/** The right edges of the file sizes. */
const sizeEdges = (page: Page): Promise<readonly number[]> =>
  page
    .getByRole('list', { name: 'Upload queue' })
    .getByText(/^\d+\.\d\d K?B$/)
    .evaluateAll((sizes) => sizes.map((size) => size.getBoundingClientRect().right));

for (const width of [390, 768, 1440]) {
  test(`a queue with a file in each state is accessible and without overflow at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await fillQueue(page);
    await expect(row(page, 'setup.exe')).toContainText('The Free plan does not accept .exe files.');
    // A phone gives the space of the second button to the name.
    if (width > 390) expect(new Set(await sizeEdges(page)).size).toBe(1);
    await expectAccessibleWithoutOverflow(page);
  });

  test(`the drop overlay, the tray and the logout dialog are accessible at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const sending = await fillQueue(page);
    const files = await carried(page, 'dropped.txt');
    await page.getByRole('banner').dispatchEvent('dragenter', { dataTransfer: files });
    await expect(dropSign(page)).toBeVisible();
    await expectAccessibleWithoutOverflow(page);
    await page.getByRole('banner').dispatchEvent('dragleave', { dataTransfer: files });
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessibleWithoutOverflow(page);
    await page.keyboard.press('Escape');
    if (width < 1024) await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Account Info' }).click();
    // Or 'Stalled': the call of its fourth file has been held since the start.
    await expect(tray(page)).toContainText('4 of 6');
    await expectAccessibleWithoutOverflow(page);
    // The call of the canceled file is held as well.
    sending.letGo(4);
    await expect(tray(page)).toContainText('3 uploaded, 2 failed, 1 canceled');
    await expectAccessibleWithoutOverflow(page);
  });
}

/** The distance from the first to the third file, measured at one moment: notes above it may appear and disappear. */
const placeOfThird = (page: Page): Promise<number> =>
  page
    .getByRole('list', { name: 'Upload queue' })
    .getByRole('listitem')
    .evaluateAll((items) => {
      const top = (at: number) => items[at]?.getBoundingClientRect().y ?? Number.NaN;
      return top(2) - top(0);
    });

for (const width of [390, 1440]) {
  test(`a file does not move while the files above it are uploaded, at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const sending = await holdBack(page, uploadCall);
    await choose(page, 'first.txt', 'second.txt', 'third.txt');
    await expect(row(page, 'third.txt')).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const waiting = await placeOfThird(page);
    await start(page).click();
    sending.letGo(2);
    await expect(link(page, 'second.txt')).toBeVisible();
    expect(await placeOfThird(page)).toBe(waiting);
  });
}

test('the progress of many small files is shown at most ten times a second', async ({ page }) => {
  await page.route(uploadCall, (route) =>
    route.fulfill({ json: { success: true, url: 'http://localhost/file/kelp' } }),
  );
  await choose(page, ...Array.from({ length: 40 }, (_, index) => `${index + 1}.txt`));
  const log = await page.evaluateHandle(() => {
    const shown = new Set<string>();
    const begin = performance.now();
    const state = { shown: 0, tenths: 0 };
    new MutationObserver(() => {
      const [position] = /\d+ of 40/.exec(document.querySelector('main')?.innerText ?? '') ?? [];
      if (position === undefined || shown.has(position)) return;
      shown.add(position);
      Object.assign(state, { shown: shown.size, tenths: (performance.now() - begin) / 100 });
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return state;
  });
  await start(page).click();
  await expect(link(page, '40.txt')).toBeVisible();
  const { shown, tenths } = await log.jsonValue();
  expect(shown).toBeGreaterThan(1);
  // One is shown immediately. A busy machine shows the others later, but never more of them.
  expect(shown).toBeLessThanOrEqual(tenths + 1);
});

test('a queue of a thousand files is accessible and without overflow', async ({ page }) => {
  await choose(page, ...Array.from({ length: 1000 }, (_, index) => `scan-${index}.txt`));
  await expect(row(page, 'scan-0.txt')).toBeVisible();
  await expectAccessibleWithoutOverflow(page);
});
