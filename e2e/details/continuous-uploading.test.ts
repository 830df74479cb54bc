import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { outlastRetries } from '../harness/outlast-retries.ts';
import { errorBox, toast } from '../harness/screen.ts';
import type { Site } from '../harness/site.ts';
import { expect, type Person, test, uploadByKey } from '../harness/test.ts';

const path = '/dashboard/general';
const call = '**/api/v3/session/get-eviction-preview';
const changeCall = '**/api/v3/session/set-account-settings';

const control = (page: Page) => page.getByRole('switch', { name: 'Continuous Uploading' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Turn on Continuous Uploading?' });
const previewedFiles = (page: Page) => dialog(page).getByRole('list', { name: 'Files that would be deleted first' });
const answer = (page: Page, name: 'Turn on' | 'Cancel') => dialog(page).getByRole('button', { name });

async function ask(page: Page): Promise<void> {
  await page.goto(path);
  await control(page).click();
  await expect(dialog(page)).toBeVisible();
}

async function uploadAll(site: Site, person: Person, names: readonly string[]): Promise<void> {
  for (const name of names) await uploadByKey(site, person, name);
}

test('the dialog lists the ten oldest files and counts the rest', async ({ page, person, site }) => {
  const names = Array.from({ length: 13 }, (_, index) => `file-${index + 10}.txt`);
  await uploadAll(site, person, names);
  await ask(page);
  await expect(previewedFiles(page).getByRole('listitem')).toHaveText(
    names.slice(0, 10).map((name) => new RegExp(`^${name}.*11\\.00 B.*just now$`)),
  );
  await expect(dialog(page)).toContainText('These would be deleted first, from the top:');
  await expect(dialog(page)).toContainText('…and 3 files more, 13 files in total. Favorites are never deleted.');
  await expect(control(page)).not.toBeChecked();
  await expectNoAxeFindings(page);
});

for (const way of ['Cancel', 'Escape'] as const) {
  test(`${way} leaves Continuous Uploading off`, async ({ page, person }) => {
    expect(person.email).toContain('@');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await ask(page);
    await expect(dialog(page)).toContainText('Nothing can be deleted yet');
    if (way === 'Cancel') await answer(page, 'Cancel').click();
    else await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(control(page)).toBeFocused();
    await expect(control(page)).not.toBeChecked();
    await page.reload();
    await expect(control(page)).not.toBeChecked();
    expect(sent.filter((url) => url.endsWith('set-account-settings'))).toEqual([]);
  });
}

test("a refused change is reverted, and the server's message is shown", async ({ page, person }) => {
  expect(person.email).toContain('@');
  const error = { code: 'UNAVAILABLE', message: 'The database is away.' };
  await page.route(changeCall, (route) => route.fulfill({ status: 503, json: { success: false, error } }));
  await ask(page);
  await answer(page, 'Turn on').click();
  await expect(toast(page, 'The database is away.')).toBeVisible();
  await expect(control(page)).not.toBeChecked();
});

test('a connection error disables Turn on, and Try again loads the files', async ({ page, person, site }) => {
  await uploadAll(site, person, ['kelp.txt']);
  await page.clock.install();
  await page.route(call, (route) => route.abort());
  await outlastRetries(page, call, () => ask(page));
  await expect(errorBox(page)).toContainText('The files that would be deleted first could not be loaded');
  await expect(errorBox(page)).toContainText('No response from server. Please check your connection.');
  await expect(answer(page, 'Turn on')).toBeDisabled();
  await expectNoAxeFindings(page);
  await page.unroute(call);
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(previewedFiles(page).getByRole('listitem')).toHaveText([/kelp\.txt/]);
  await expect(errorBox(page)).toBeHidden();
  await expect(dialog(page).getByRole('heading')).toBeFocused();
});
