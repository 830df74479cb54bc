import type { Page } from '@playwright/test';
import { listenForStatuses, toast } from '../harness/screen.ts';
import { ageFiles } from '../harness/stored-files.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

const saved = 'Settings updated successfully';
const slider = (page: Page) => page.getByRole('slider', { name: 'Auto Delete Inactive Files' });
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
  await expect(slider(page)).toBeVisible();
}

/** Moves the slider by keys. The question comes a moment after the last of them. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  await slider(page).focus();
  for (const key of keys) await page.keyboard.press(key);
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
  await press(page, 'PageUp', 'PageUp', 'ArrowRight', 'ArrowRight', 'ArrowLeft');
  await expect(question(page, 'Turn on Auto Delete after 21 days?')).toBeVisible();
  await expect(question(page)).toContainText('Tonight that would be 12 files:');
  await expect(tonight(page).getByRole('listitem')).toHaveText(
    names.slice(0, 10).map((name) => new RegExp(`^${name}`)),
  );
  await expect(question(page)).toContainText('…and 2 files more.');
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
  await press(page, 'PageUp', 'PageUp');
  await answer(page, 'Turn on').click();
  await expect.poll(() => saves).toEqual([200]);
  await press(page, 'ArrowUp');
  await expect.poll(() => saves).toEqual([200, 200]);
  await expect(question(page)).toBeHidden();
  const more = Number(await slider(page).getAttribute('aria-valuenow'));
  await press(page, 'PageDown');
  await expect(question(page, /^Lower Auto Delete to \d+ days\?$/)).toBeVisible();
  await answer(page, 'Cancel').click();
  await expect(slider(page)).toHaveAttribute('aria-valuenow', String(more));
  await press(page, 'Home');
  await expect.poll(() => saves).toEqual([200, 200, 200]);
  await expect(question(page)).toBeHidden();
  await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Off');
});

test('Auto Delete cannot be turned on while the list of files fails to load', async ({ ownPage: page }) => {
  const error = { code: 'NOT_FOUND', message: 'Come back later.' };
  await page.route('**/get-inactive-files*', (route) =>
    route.fulfill({ status: 404, json: { success: false, error } }),
  );
  await open(page);
  await press(page, 'ArrowUp');
  await expect(page.getByRole('alert')).toContainText('Come back later.');
  await expect(answer(page, 'Turn on')).toBeDisabled();
  await page.unroute('**/get-inactive-files*');
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(answer(page, 'Turn on')).toBeEnabled();
});
