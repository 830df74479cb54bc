/** Two presses before the next render make one call. */
import type { Locator, Page } from '@playwright/test';
import { box, deleteButton, openList, star } from '../harness/library.ts';
import { toast } from '../harness/screen.ts';
import { signInBeside } from '../harness/second-tab.ts';
import { expect, goodPassword, type Person, test, uploadByKey } from '../harness/test.ts';

const presses: readonly {
  readonly what: string;
  readonly call: string;
  /** Returns the control to press: a button, or a field of the form to submit. */
  readonly ready: (page: Page, person: Person) => Promise<Locator>;
  readonly done: (page: Page) => Locator;
}[] = [
  {
    what: 'a new API key',
    call: 'change-api-key',
    async ready(page) {
      await page.goto('/dashboard/change-api');
      return page.getByRole('button', { name: 'Generate new API key' });
    },
    done: (page) => toast(page, 'API key changed successfully!'),
  },
  {
    what: 'a new password',
    call: 'change-password',
    async ready(page) {
      await page.goto('/dashboard/security');
      await page.getByLabel('Old password', { exact: true }).fill(goodPassword);
      await page.getByLabel('New password', { exact: true }).fill('Battery-Staple-8');
      return page.getByRole('button', { name: 'Save & Update' });
    },
    done: (page) => toast(page, 'Password updated successfully'),
  },
  {
    what: 'the end of other sessions',
    call: 'end-sessions',
    async ready(page) {
      await page.goto('/dashboard/security');
      return page.getByRole('button', { name: 'Revoke all others' });
    },
    done: (page) => toast(page, 'Session revoked'),
  },
  {
    what: 'a favorite',
    call: 'toggle-favorite',
    async ready(page) {
      await openList(page);
      return star(page, 'kelp.txt');
    },
    done: (page) => toast(page, 'Added to favorites'),
  },
  {
    what: 'the deletion of files',
    call: 'delete-files',
    async ready(page) {
      await openList(page);
      await box(page, 'kelp.txt').check();
      return deleteButton(page);
    },
    done: (page) => toast(page, 'Deleted 1 file(s)'),
  },
  {
    what: 'the deletion of the account',
    call: 'delete-account',
    async ready(page) {
      await page.goto('/dashboard/delete-account');
      await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
      await page.getByLabel("Type 'delete' to confirm").fill('delete');
      return page.getByRole('button', { name: 'Permanently delete my account' });
    },
    done: (page) => page.getByRole('banner').getByRole('link', { name: 'Sign In' }),
  },
  {
    what: 'a sign-in',
    call: 'login',
    async ready(page, { email }) {
      await page.context().clearCookies();
      await page.goto('/sign-in');
      await page.getByLabel('Email', { exact: true }).fill(email);
      await page.getByLabel('Password', { exact: true }).fill(goodPassword);
      return page.getByRole('main').getByRole('button', { name: 'Sign In' });
    },
    done: (page) => page.getByRole('heading', { name: 'Upload Files' }),
  },
];

for (const { what, call, ready, done } of presses) {
  test(`a double press requests ${what} once`, async ({ page, person, browser, site }) => {
    if (call === 'end-sessions') {
      const elsewhere = await browser.newContext({ baseURL: site.url });
      await signInBeside(elsewhere, person);
      await elsewhere.close();
    }
    await uploadByKey(site, person, 'kelp.txt');
    const pressed = await ready(page, person);
    await expect(pressed).toBeEnabled();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith(`/${call}`) && request.method() !== 'OPTIONS') sent.push(request.url());
    });
    await pressed.evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expect(done(page).first()).toBeVisible();
    expect(sent).toHaveLength(1);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}
