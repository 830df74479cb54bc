import type { Page } from '@playwright/test';
import { expectAccessibleWithoutOverflow } from '../harness/axe.ts';
import { listCall, openList, test } from '../harness/library.ts';
import { errorBox } from '../harness/screen.ts';
import { expect } from '../harness/test.ts';

/** The unusual states of the list. */
const states: readonly { readonly what: string; readonly reach: (page: Page) => Promise<unknown> }[] = [
  {
    what: 'a list without matches',
    reach: async (page) => {
      await openList(page, '?search=octopus');
      await expect(page.getByText('No file matches')).toBeVisible();
    },
  },
  {
    what: 'a page past the end of the list',
    reach: async (page) => {
      await openList(page, '?page=9');
      await expect(page.getByText('There is nothing on page 9')).toBeVisible();
    },
  },
  {
    what: 'a list that failed to load',
    reach: async (page) => {
      await page.route(listCall, (route) => route.fulfill({ status: 400, json: { success: false } }));
      await openList(page);
      await expect(errorBox(page)).toBeVisible();
    },
  },
  {
    what: 'a link for manual copying',
    reach: async (page) => {
      await page.addInitScript(() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
        document.execCommand = () => false;
      });
      await openList(page, '?search=large');
      await page.getByRole('button', { name: 'Copy link of large.txt' }).click();
      await expect(page.getByRole('textbox', { name: 'Copy link of large.txt' })).toBeFocused();
    },
  },
  {
    what: 'an exact time',
    reach: async (page) => {
      await openList(page, '?search=large');
      await page.getByRole('time').hover();
      await expect(page.getByRole('tooltip')).toBeVisible();
    },
  },
];

const longLists = [
  { what: 'a long page', search: '?limit=500' },
  { what: 'one of many pages', search: '?limit=50&page=3' },
];

for (const width of [1440, 768, 390]) {
  for (const { what, reach } of states)
    test(`${what} is accessible and without overflow at ${width}, light and dark`, async ({ libraryPage: page }) => {
      await page.setViewportSize({ width, height: 900 });
      await reach(page);
      await expectAccessibleWithoutOverflow(page);
    });

  for (const { what, search } of longLists)
    test(`${what} is accessible and without overflow at ${width}, light and dark`, async ({ longListPage: page }) => {
      await page.setViewportSize({ width, height: 900 });
      await openList(page, search);
      await expect(page.getByLabel('Files on a page')).toBeAttached();
      await expectAccessibleWithoutOverflow(page);
    });

  test(`an empty list is accessible and without overflow at ${width}, light and dark`, async ({ ownPage: page }) => {
    await page.setViewportSize({ width, height: 900 });
    await openList(page);
    await expect(page.getByText('No files yet')).toBeVisible();
    await expectAccessibleWithoutOverflow(page);
  });
}
