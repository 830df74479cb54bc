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

test('several key presses lead to one confirmation of the final value', async ({ ownPage: page }) => {
  await open(page);
  await slider(page).focus();
  for (const key of ['PageUp', 'PageUp', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
  await expect(question(page, 'Turn on Auto Delete after 21 days?')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question(page)).toBeHidden();
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
