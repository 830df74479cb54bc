import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './harness/axe.ts';
import { holdBack } from './harness/hold-back.ts';
import { expect, test } from './harness/test.ts';
import { carried, choose, dropSign, link, openQueue, row, start, tray, uploadCall } from './harness/upload-queue.ts';

test.beforeEach(async ({ signedInPage: page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openQueue(page);
});

/** In both themes: every rule of axe, and nothing wider than the screen. */
async function expectSound(page: Page) {
  await expectNoAxeFindings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** A file in each state that there is, and one of which the plan warns. */
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

/** Where the sizes of the files end. */
const sizeEdges = (page: Page): Promise<readonly number[]> =>
  page
    .getByRole('list', { name: 'Upload queue' })
    .getByText(/^\d+\.\d\d K?B$/)
    .evaluateAll((sizes) => sizes.map((size) => size.getBoundingClientRect().right));

for (const width of [390, 768, 1440]) {
  test(`a queue with a file in each state is sound at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await fillQueue(page);
    await expect(row(page, 'setup.exe')).toContainText('The Free plan does not accept .exe files.');
    // A phone gives the room of the second button to the name.
    if (width > 390) expect(new Set(await sizeEdges(page)).size).toBe(1);
    await expectSound(page);
  });

  test(`the sign to drop, the tray and the question before a logout are sound at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const sending = await fillQueue(page);
    const files = await carried(page, 'dropped.txt');
    await page.getByRole('banner').dispatchEvent('dragenter', { dataTransfer: files });
    await expect(dropSign(page)).toBeVisible();
    await expectSound(page);
    await page.getByRole('banner').dispatchEvent('dragleave', { dataTransfer: files });
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectSound(page);
    await page.keyboard.press('Escape');
    if (width < 1024) await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Account Info' }).click();
    await expect(tray(page)).toContainText('Uploading 4 of 6');
    await expectSound(page);
    // The call of the canceled file stands in the line too.
    sending.letGo(4);
    await expect(tray(page)).toContainText('3 uploaded, 2 failed, 1 canceled');
    await expectSound(page);
  });
}

for (const width of [390, 1440]) {
  test(`a file stays where it is while those above it are sent, at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const sending = await holdBack(page, uploadCall);
    await choose(page, 'first.txt', 'second.txt', 'third.txt');
    const top = async (name: string) => (await row(page, name).boundingBox())?.y ?? 0;
    const place = async () => (await top('third.txt')) - (await top('first.txt'));
    const waiting = await place();
    await start(page).click();
    sending.letGo(2);
    await expect(link(page, 'second.txt')).toBeVisible();
    expect(await place()).toBe(waiting);
  });
}

test('many small files are shown ten times a second at most', async ({ page }) => {
  await page.route(uploadCall, (route) =>
    route.fulfill({ json: { success: true, url: 'http://localhost/file/kelp' } }),
  );
  await choose(page, ...Array.from({ length: 40 }, (_, index) => `${index + 1}.txt`));
  const log = await page.evaluateHandle(() => {
    const times: number[] = [];
    const note = () => {
      const [position] = /\d+ of 40/.exec(document.querySelector('main')?.innerText ?? '') ?? [];
      if (position !== undefined && position !== last) times.push(performance.now());
      last = position ?? last;
    };
    let last = '';
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    return times;
  });
  await start(page).click();
  await expect(link(page, '40.txt')).toBeVisible();
  const times = await log.jsonValue();
  expect(times.length).toBeGreaterThan(1);
  const gaps = times.slice(2).map((at, index) => at - (times[index + 1] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(80);
});

test('a thousand files are sound', async ({ page }) => {
  await choose(page, ...Array.from({ length: 1000 }, (_, index) => `scan-${index}.txt`));
  await expect(row(page, 'scan-0.txt')).toBeVisible();
  await expectSound(page);
});
