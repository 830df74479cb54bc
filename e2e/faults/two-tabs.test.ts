import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { holdBack } from '../harness/hold-back.ts';
import { box, deleteButton, fileRow, fileRows, openList, star } from '../harness/library.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { pressWhenAccountComes, signInBeside } from '../harness/second-tab.ts';
import { expect, goodPassword, test, uploadByKey } from '../harness/test.ts';
import { choose, openQueue, start } from '../harness/upload-queue.ts';

const welcome = 'Welcome back';
const changed = 'Another account is now signed in in this browser.';
const accountCall = '**/get-account-info';
const typeDelete = (page: Page) => page.getByLabel("Type 'delete' to confirm");

async function askToDelete(page: Page) {
  await page.goto('/dashboard/delete-account');
  await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
  await typeDelete(page).fill('delete');
}

test('signing out in one tab signs out in the other', async ({ page, person, context }) => {
  await page.goto('/dashboard');
  await expect(page.getByText(`${welcome} ${person.email}`)).toBeVisible();
  const other = await context.newPage();
  await other.goto('/dashboard/account-info');
  await other.getByRole('button', { name: 'Account menu' }).click();
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('a tab that shows another account than the session deletes no account', async ({
  page,
  person,
  context,
  signedOnce,
}) => {
  await askToDelete(page);
  await expect(page.getByText(`${welcome} ${person.email}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Permanently delete my account' })).toBeEnabled();
  // The cookie becomes another user's, and this tab is not notified.
  await context.clearCookies();
  await context.addCookies([...signedOnce.cookies]);
  await page.keyboard.press('Enter');
  await expect(toast(page, changed)).toBeVisible();
  await expect(page.getByText(`${welcome} ${signedOnce.person.email}`)).toBeVisible();
  await expect(pageHeading(page)).toHaveText('Delete Account');
  await expect(typeDelete(page)).toBeHidden();
});

/** Every account change that one press makes: its page, and the control that has the focus. */
const changes: readonly {
  readonly what: string;
  readonly call: string;
  readonly path: string;
  readonly ready: (page: Page) => Promise<Locator>;
}[] = [
  {
    what: 'the deletion of the account',
    call: 'delete-account',
    path: '/dashboard/delete-account',
    async ready(page) {
      await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
      await typeDelete(page).fill('delete');
      await expect(page.getByRole('button', { name: 'Permanently delete my account' })).toBeEnabled();
      return typeDelete(page);
    },
  },
  {
    what: 'a new API key',
    call: 'change-api-key',
    path: '/dashboard/change-api',
    ready: async (page) => page.getByRole('button', { name: 'Generate new API key' }),
  },
  {
    what: 'a new password',
    call: 'change-password',
    path: '/dashboard/security',
    async ready(page) {
      await page.getByLabel('Old password', { exact: true }).fill(goodPassword);
      await page.getByLabel('New password', { exact: true }).fill('Battery-Staple-8');
      await expect(page.getByRole('button', { name: 'Save & Update' })).toBeEnabled();
      return page.getByLabel('New password', { exact: true });
    },
  },
  {
    what: 'the end of other sessions',
    call: 'end-sessions',
    path: '/dashboard/security',
    ready: async (page) => page.getByRole('button', { name: 'Revoke all others' }),
  },
  {
    what: 'a setting',
    call: 'set-account-settings',
    path: '/dashboard/general',
    ready: async (page) => page.getByRole('switch', { name: 'Include Extensions' }),
  },
  {
    what: 'a favorite',
    call: 'toggle-favorite',
    path: '/dashboard/file-management',
    ready: async (page) => star(page, 'kelp.txt'),
  },
  {
    what: 'the deletion of files',
    call: 'delete-files',
    path: '/dashboard/file-management',
    async ready(page) {
      await box(page, 'kelp.txt').check();
      return deleteButton(page);
    },
  },
];

for (const { what, call, path, ready } of changes) {
  test(`${what} is refused if another account has signed in since the page was shown`, async ({
    page,
    person,
    context,
    site,
    browser,
    signedOnce,
  }) => {
    // A second session, so that there is one to end.
    if (call === 'end-sessions') {
      const elsewhere = await browser.newContext({ baseURL: site.url });
      await signInBeside(elsewhere, person);
      await elsewhere.close();
    }
    await uploadByKey(site, person, 'kelp.txt');
    await page.goto(path);
    const pressed = await ready(page);
    await pressed.focus();
    await expect(pressed).toBeFocused();
    await pressWhenAccountComes(page);
    const sent = page.waitForRequest(`**/${call}`);
    await signInBeside(context, signedOnce.person);
    expect((await sent).headers()['holdfast-account']).toBe(person.email);
    expect(await (await sent).response().then((answer) => answer?.status())).toBe(409);
    await expect(toast(page, changed)).toBeVisible();
    await expect(page.getByText(`${welcome} ${signedOnce.person.email}`)).toBeVisible();
  });
}

test.describe('when one tab changes the API key', () => {
  const copyKey = (page: Page) => page.getByRole('button', { name: 'Copy API key' });
  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

  async function changeKeyIn(other: Page): Promise<string> {
    await other.goto('/dashboard/change-api');
    await other.getByRole('button', { name: 'Generate new API key' }).click();
    return (await other.getByRole('region', { name: 'Your new API key' }).getByRole('code').textContent()) ?? '';
  }

  test('other tabs copy the new key and hide the old key, even if the server is slow', async ({
    page,
    person,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/dashboard/account-info');
    await copyKey(page).hover();
    await expect(page.getByText(person.apiKey)).toBeVisible();
    await holdBack(page, accountCall);
    const key = await changeKeyIn(await context.newPage());
    await page.bringToFront();
    await copyKey(page).click();
    await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
    expect(await copied(page)).toBe(key);
    await expect(page.getByText(person.apiKey)).toBeHidden();
  });

  test('the samples and the ShareX file in API Docs use the new key', async ({ page, person, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/api-docs');
    await page.getByRole('radio', { name: 'ShareX', exact: true }).check();
    const copySample = page.getByRole('button', { name: 'Copy: Upload · ShareX', exact: true });
    await copySample.click();
    await expect.poll(() => copied(page)).toContain(person.apiKey);
    await holdBack(page, accountCall);
    const key = await changeKeyIn(await context.newPage());
    await page.bringToFront();
    await copySample.click();
    await expect.poll(() => copied(page)).toContain(key);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download .sxcu' }).click();
    expect(await readFile(await (await saved).path(), 'utf8')).toContain(key);
  });
});

test('a setting that is changed in one tab is updated in the others', async ({ page, person, context }) => {
  const extensions = (each: Page) => each.getByRole('switch', { name: 'Include Extensions' });
  await page.goto('/dashboard/general');
  await expect(page.getByText(`${welcome} ${person.email}`)).toBeVisible();
  await expect(extensions(page)).toBeChecked();
  const other = await context.newPage();
  await other.goto('/dashboard/general');
  await extensions(other).uncheck();
  await expect(extensions(page)).not.toBeChecked();
});

test('starred, deleted and uploaded files are updated in other tabs', async ({ page, person, context, site }) => {
  for (const name of ['kelp.txt', 'reef.txt']) await uploadByKey(site, person, name);
  await openList(page);
  await expect(fileRows(page)).toHaveCount(2);
  const other = await context.newPage();
  await openList(other);
  await star(other, 'kelp.txt').click();
  await expect(star(page, 'kelp.txt')).toHaveAttribute('aria-pressed', 'true');
  await box(other, 'reef.txt').check();
  await deleteButton(other).click();
  await expect(fileRows(page)).toHaveCount(1);
  await openQueue(other);
  await choose(other, 'wrack.txt');
  await start(other).click();
  await expect(fileRow(page, 'wrack.txt')).toBeVisible();
});
