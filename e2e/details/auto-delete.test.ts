import { calls } from '@holdfast/contract/src/calls.ts';
import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { listenForStatuses, toast } from '../harness/screen.ts';
import { ageFiles } from '../harness/stored-files.ts';
import { expect, test as base, uploadByKey } from '../harness/test.ts';

/** The page of an account whose settings no other test changes. */
const test = base.extend<{ ownPage: Page }>({ ownPage: ({ page, person }, use) => use(person && page) });

const saved = 'Settings updated successfully';
const slider = (page: Page) => page.getByRole('slider', { name: 'Auto Delete Inactive Files' });
const row = (page: Page) => slider(page).locator('xpath=ancestor::*[@data-orientation][1]');
const question = (page: Page, name: string | RegExp = /Auto Delete/) => page.getByRole('dialog', { name });
const answer = (page: Page, name: string) => question(page).getByRole('button', { name, exact: true });
const tonight = (page: Page) => question(page).getByRole('list', { name: 'Files that would be deleted tonight' });

/** Collects the bodies of all later save requests. */
function listen(page: Page): readonly unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/set-account-settings')) bodies.push(request.postDataJSON());
  });
  return bodies;
}

async function open(page: Page): Promise<void> {
  await page.goto('/dashboard/general');
  await slider(page).scrollIntoViewIfNeeded();
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The position of a value on the slider's track. */
async function placeOf(page: Page, days: number): Promise<Point> {
  const box = await row(page).boundingBox();
  if (!box) throw new Error('the slider is nowhere');
  return { x: box.x + (box.width * days) / 90, y: box.y + box.height / 2 };
}

async function dragTo(page: Page, from: number, to: number): Promise<void> {
  const [start, end] = [await placeOf(page, from), await placeOf(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 5 });
  await page.mouse.up();
}

/** A touch gesture, sent to the browser as the system would send it. */
async function swipe(page: Page, from: Point, to: Point): Promise<void> {
  const screen = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    screen.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', from);
  for (let step = 1; step <= 10; step += 1) {
    const part = step / 10;
    await send('touchMove', { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await send('touchEnd');
  await screen.detach();
}

test('turning Auto Delete on lists the files that would be deleted and asks for confirmation', async ({
  page,
  person,
  site,
}) => {
  const names = Array.from({ length: 12 }, (_, index) => `file-${index + 10}.txt`);
  for (const name of names) await uploadByKey(site, person, name);
  ageFiles(site, person, 60);
  await uploadByKey(site, person, 'young.txt');
  await open(page);
  const sent = listen(page);
  await dragTo(page, 0, 45);
  await expect(question(page, /^Turn on Auto Delete after 4\d days\?$/)).toBeVisible();
  await expect(question(page)).toContainText('Tonight that would be 12 files:');
  await expect(tonight(page).getByRole('listitem')).toHaveText(
    names.slice(0, 10).map((name) => new RegExp(`^${name}`)),
  );
  await expect(question(page)).toContainText('…and 2 files more.');
  await expectNoAxeFindings(page);
  const days = Number(await slider(page).getAttribute('aria-valuenow'));
  expect(sent).toEqual([]);
  await answer(page, 'Turn on').click();
  await expect(toast(page, saved)).toBeVisible();
  expect(sent).toEqual([{ inactivity_auto_delete_days: days }]);
  await page.reload();
  await expect(slider(page)).toHaveAttribute('aria-valuetext', `${days} days`);
});

for (const way of ['Cancel', 'Escape'] as const) {
  test(`${way} leaves the value unchanged`, async ({ ownPage: page }) => {
    await open(page);
    const sent = listen(page);
    await dragTo(page, 0, 30);
    await expect(question(page)).toContainText('No files would be deleted tonight.');
    if (way === 'Cancel') await answer(page, 'Cancel').click();
    else await page.keyboard.press('Escape');
    await expect(question(page)).toBeHidden();
    await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Off');
    await page.reload();
    await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Off');
    expect(sent).toEqual([]);
  });
}

test('fewer days need confirmation; more days and Off do not', async ({ ownPage: page }) => {
  const saves = listenForStatuses(page, '**/set-account-settings');
  await open(page);
  await dragTo(page, 0, 60);
  await answer(page, 'Turn on').click();
  await expect.poll(() => saves).toEqual([200]);
  const days = Number(await slider(page).getAttribute('aria-valuenow'));
  await dragTo(page, days, 80);
  await expect.poll(() => saves).toEqual([200, 200]);
  await expect(question(page)).toBeHidden();
  const more = Number(await slider(page).getAttribute('aria-valuenow'));
  await dragTo(page, more, 20);
  await expect(question(page, /^Lower Auto Delete to \d+ days\?$/)).toBeVisible();
  await answer(page, 'Cancel').click();
  await expect(slider(page)).toHaveAttribute('aria-valuenow', String(more));
  await slider(page).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => saves).toEqual([200, 200, 200]);
  await expect(question(page)).toBeHidden();
  await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Off');
});

test('more days need confirmation if another device has turned Auto Delete off', async ({ ownPage: page, context }) => {
  await open(page);
  await dragTo(page, 0, 45);
  await answer(page, 'Turn on').click();
  await expect(toast(page, saved)).toBeVisible();
  await page.reload();
  const days = Number(await slider(page).getAttribute('aria-valuenow'));
  await slider(page).focus();
  const elsewhere = await context.request.post(new URL(calls.setAccountSettings.path, page.url()).href, {
    data: { inactivity_auto_delete_days: 0 },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  expect(elsewhere.ok()).toBe(true);
  const sent = listen(page);
  await slider(page).press('PageUp');
  await expect(question(page, `Turn on Auto Delete after ${days + 10} days?`)).toBeVisible();
  await answer(page, 'Cancel').click();
  await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Off');
  expect(sent).toEqual([]);
});

test('several key presses lead to one confirmation of the final value', async ({ ownPage: page }) => {
  await open(page);
  await slider(page).focus();
  for (const key of ['PageUp', 'PageUp', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
  await expect(question(page, 'Turn on Auto Delete after 21 days?')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(slider(page)).toBeFocused();
  await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Off');
  await page.keyboard.press('ArrowUp');
  await expect(question(page, 'Turn on Auto Delete after 1 day?')).toBeVisible();
  await answer(page, 'Turn on').press('Enter');
  await expect(toast(page, saved)).toBeVisible();
  await expect(slider(page)).toBeFocused();
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '1 day');
});

test('Auto Delete cannot be turned on while the list of files fails to load', async ({ ownPage: page }) => {
  const error = { code: 'NOT_FOUND', message: 'Come back later.' };
  await page.route('**/get-inactive-files*', (route) =>
    route.fulfill({ status: 404, json: { success: false, error } }),
  );
  await open(page);
  await dragTo(page, 0, 30);
  await expect(page.getByRole('alert')).toContainText('Come back later.');
  await expect(answer(page, 'Turn on')).toBeDisabled();
  await page.unroute('**/get-inactive-files*');
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(answer(page, 'Turn on')).toBeEnabled();
});

test.describe('on a touchscreen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 700 } });

  test('a vertical swipe on the slider scrolls the page and changes nothing', async ({ ownPage: page }) => {
    await open(page);
    const sent = listen(page);
    const scrolled = () => page.evaluate(() => window.scrollY);
    const before = await scrolled();
    const at = await placeOf(page, 47);
    await swipe(page, at, { x: at.x + 12, y: at.y + 110 });
    await expect.poll(scrolled).toBeLessThan(before - 50);
    const above = await placeOf(page, 20);
    await swipe(page, above, { x: above.x, y: above.y - 110 });
    await expect.poll(scrolled).toBeGreaterThan(before - 50);
    await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Off');
    await page.getByRole('switch', { name: 'Continuous Uploading' }).focus();
    await expect(question(page)).toBeHidden();
    expect(sent).toEqual([]);
  });

  test('a horizontal swipe moves the slider and asks for confirmation on release', async ({ ownPage: page }) => {
    await open(page);
    const sent = listen(page);
    const at = await placeOf(page, 10);
    await swipe(page, at, { x: (await placeOf(page, 40)).x, y: at.y + 10 });
    await expect(question(page, /^Turn on Auto Delete after (39|4\d) days\?$/)).toBeVisible();
    // Browsers treat a tap right after a swipe as the end of a scroll, so the dialog is dismissed by a click.
    await answer(page, 'Cancel').click();
    await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Off');
    expect(sent).toEqual([]);
  });

  test('a tap on the slider changes nothing', async ({ ownPage: page }) => {
    await open(page);
    const at = await placeOf(page, 47);
    await page.touchscreen.tap(at.x, at.y);
    await page.getByRole('heading', { level: 1 }).tap();
    await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Off');
    await expect(question(page)).toBeHidden();
  });
});
