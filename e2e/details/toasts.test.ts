import type { Locator, Page } from '@playwright/test';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';

const copied = 'API key copied to clipboard!';
const region = (page: Page) => page.locator('[role=status][aria-live=polite]');
const cards = (page: Page) => region(page).locator(':scope > div > div');
const copy = (page: Page) => page.getByRole('button', { name: 'Copy API key' }).click();

/** Uploads small files that finish at once: twenty-five of them produce twenty-five toasts. */
async function uploadMany(page: Page, count: number) {
  await page.route('**/api/v3/upload', (route) =>
    route.fulfill({ json: { success: true, url: 'http://localhost/file/kelp' } }),
  );
  const files = Array.from({ length: count }, (_, index) => ({
    name: `${index + 1}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from('hold fast'),
  }));
  await page.getByLabel('Files to upload').setInputFiles(files);
  await page.getByRole('button', { name: 'Upload Files' }).click();
  await expect(toast(page, `${count}.txt uploaded successfully!`)).toBeVisible();
}

/** Stops the clock of the loaded page, so that toasts disappear only when the test advances it. */
async function holdToasts(page: Page) {
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
  await expect(pageHeading(page)).toBeVisible();
  await stopClock(page);
}

test('a success toast is shown for two seconds', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await expect(page.getByRole('button', { name: 'Copy API key' })).toBeVisible();
  await holdToasts(page);
  await copy(page);
  await expect(toast(page, copied)).toBeVisible();
  await page.clock.runFor(1900);
  await expect(toast(page, copied)).toBeVisible();
  await page.clock.runFor(400);
  await expect(toast(page, copied)).toBeHidden();
});

test('an error toast is shown for four seconds', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/change-api');
  await page.route('**/change-api-key', (route) => route.abort());
  await expect(page.getByRole('button', { name: 'Generate new API key' })).toBeVisible();
  await holdToasts(page);
  await page.getByRole('button', { name: 'Generate new API key' }).click();
  const failed = toast(page, 'Failed to change API key');
  await expect(failed).toBeVisible();
  await page.clock.runFor(3900);
  await expect(failed).toBeVisible();
  await page.clock.runFor(400);
  await expect(failed).toBeHidden();
});

test('a neutral toast is shown for four seconds', async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await page.route('**/api/v3/upload', () => {});
  const file = { name: 'kelp.txt', mimeType: 'text/plain', buffer: Buffer.from('hold fast') };
  await page.getByLabel('Files to upload').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload Files' }).click();
  const cancel = page.getByRole('button', { name: 'Cancel kelp.txt' });
  await expect(cancel).toBeVisible();
  await holdToasts(page);
  await cancel.click();
  const canceled = toast(page, 'Upload canceled').and(region(page).locator('span'));
  await expect(canceled).toBeVisible();
  await page.clock.runFor(3900);
  await expect(canceled).toBeVisible();
  await page.clock.runFor(400);
  await expect(canceled).toBeHidden();
});

test('a toast is not dismissed while the pointer is over it', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await expect(page.getByRole('button', { name: 'Copy API key' })).toBeVisible();
  await holdToasts(page);
  await copy(page);
  await toast(page, copied).hover();
  await page.clock.runFor(10_000);
  await expect(toast(page, copied)).toBeVisible();
  await page.mouse.move(10, 700);
  await page.clock.runFor(2500);
  await expect(toast(page, copied)).toBeHidden();
});

test('the live region exists before the first toast and is not replaced', async ({ page }) => {
  await page.goto('/');
  await expect(region(page)).toHaveCount(1);
  await expect(region(page)).toHaveText('');
  await region(page).evaluate((element) => element.setAttribute('data-first', ''));
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  await page.route('**/captcha-challenge*', (route) => route.abort());
  await page.getByLabel('Email').fill('kelp@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(region(page)).toContainText('No response from server.');
  await expect(region(page)).toHaveAttribute('data-first', '');
});

test('a toast with a long text is 350 pixels wide and beside the account menu', async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await page.route('**/api/v3/upload', (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'No.' } }),
  );
  const name = `${'a-name-that-goes-on-and-on-'.repeat(6)}.txt`;
  await page
    .getByLabel('Files to upload')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('hold fast') });
  await page.getByRole('button', { name: 'Upload Files' }).click();
  await expect(cards(page)).toHaveCount(1);
  const card = await cards(page).boundingBox();
  expect(card?.width).toBe(350);
  expect((card?.x ?? 0) + 350).toBe(1280 - 96);
});

test('at most the twenty newest toasts are shown', async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await expect(page.getByText('No files selected for upload')).toBeVisible();
  await holdToasts(page);
  await uploadMany(page, 25);
  await expect(cards(page)).toHaveCount(20);
  await expect(toast(page, '6.txt uploaded successfully!')).toHaveCount(1);
  await expect(toast(page, '5.txt uploaded successfully!')).toHaveCount(0);
});

test('only the first toast of a pile is animated', async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await holdToasts(page);
  const moved = await region(page).evaluateHandle((element) => {
    const seen: string[] = [];
    for (const type of ['animationstart', 'transitionrun']) element.addEventListener(type, () => seen.push(type));
    return seen;
  });
  await uploadMany(page, 6);
  await expect(cards(page)).toHaveCount(6);
  expect(await moved.jsonValue()).toEqual(['animationstart']);
});

test('hovering spreads the pile of toasts out, and axe finds no problem in it', async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await holdToasts(page);
  await uploadMany(page, 5);
  const [newest, oldest] = [cards(page).first(), cards(page).last()];
  expect(await apart(newest, oldest)).toBeLessThan(20);
  await newest.hover();
  await expect.poll(() => apart(newest, oldest)).toBeGreaterThan(150);
  await page.clock.resume();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectNoAxeFindings(page);
});

const apart = async (one: Locator, other: Locator) =>
  ((await other.boundingBox())?.y ?? 0) - ((await one.boundingBox())?.y ?? 0);

for (const width of [1440, 768, 390]) {
  test(`twenty toasts cover neither a control nor the page's center, at ${width}`, async ({ signedInPage: page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/dashboard');
    await holdToasts(page);
    await uploadMany(page, 20);
    await expect(cards(page)).toHaveCount(20);
    expect(await coveredByToasts(page)).toEqual([]);
  });
}

/** The visible controls whose center is covered by a toast, and the center of the page. */
function coveredByToasts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const covered = (x: number, y: number) => Boolean(document.elementFromPoint(x, y)?.closest('[aria-live]'));
    const controls = [...document.querySelectorAll<HTMLElement>('a, button, input, summary')].filter((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return width > 0 && y >= 0 && covered(x + width / 2, y + height / 2);
    });
    const names = controls.map((control) => control.getAttribute('aria-label') ?? control.innerText);
    return covered(innerWidth / 2, innerHeight / 2) ? [...names, 'the middle'] : names;
  });
}
