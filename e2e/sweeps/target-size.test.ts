import type { Page } from '@playwright/test';
import { expect, type Person, signUpOnce, test as base, uploadByKey } from '../harness/test.ts';

/** The page of an account with a file, on a screen as narrow as a phone's, with a mouse. */
const test = base.extend<{ phone: Page; owner: Person }>({
  owner: async ({ keeper, sharedSite, browser, context }, use) => {
    const make = async () => {
      const signed = await signUpOnce(sharedSite, browser);
      await uploadByKey(sharedSite, signed.person, 'kelp.txt');
      return signed;
    };
    const { person, cookies } = await keeper.keep('owner of small targets', make);
    await context.addCookies(cookies);
    await use(person);
  },
  phone: ({ page, owner }, use) => use(owner && page),
  viewport: { width: 390, height: 800 },
});

const textShown = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();

const screens: readonly { readonly path: string; readonly ready: (page: Page) => Promise<unknown> }[] = [
  {
    path: '/',
    async ready(page) {
      await page.getByRole('heading', { name: 'Pricing' }).scrollIntoViewIfNeeded();
      await page.getByText('Current plan').waitFor();
      await page.evaluate(() => window.scrollTo(0, 0));
    },
  },
  { path: '/plan-pricing', ready: (page) => page.getByText('Current plan').waitFor() },
  { path: '/speed-test', ready: (page) => page.getByText('Local').waitFor() },
  { path: '/dashboard', ready: (page) => page.getByText('No files selected for upload').waitFor() },
  { path: '/dashboard/file-management', ready: (page) => page.getByText('kelp.txt').first().waitFor() },
  { path: '/dashboard/account-info', ready: (page) => page.getByRole('button', { name: 'Copy API key' }).waitFor() },
  { path: '/dashboard/plan-info', ready: (page) => page.getByRole('link', { name: 'Manage Plan' }).waitFor() },
  { path: '/dashboard/usage', ready: (page) => page.getByText('Need more account space?').waitFor() },
  { path: '/dashboard/settings', ready: (page) => page.getByText('1 session').waitFor() },
  { path: '/dashboard/general', ready: (page) => page.getByRole('slider').first().waitFor() },
  { path: '/dashboard/security', ready: (page) => page.getByText('This browser').waitFor() },
  { path: '/dashboard/change-api', ready: (page) => page.getByText('Replace your API key?').waitFor() },
  {
    path: '/dashboard/delete-account',
    async ready(page) {
      await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
      await page.getByRole('main').getByRole('textbox').waitFor();
    },
  },
  { path: '/dashboard/no/such/page', ready: (page) => page.getByRole('main').getByRole('link').waitFor() },
  { path: '/about-us', ready: textShown },
  { path: '/faqs', ready: textShown },
  { path: '/terms-of-service', ready: textShown },
  { path: '/privacy-policy', ready: textShown },
  { path: '/dmca-policy', ready: textShown },
];

for (const { path, ready } of screens) {
  test(`on a phone every control at ${path} is at least 44 pixels high`, async ({ phone: page }) => {
    await page.goto(path);
    await ready(page);
    expect(await smallTargets(page)).toEqual([]);
  });
}

test('on a phone every control in the navigation is at least 44 pixels high', async ({ phone: page }) => {
  await page.goto('/dashboard/security');
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Delete Account' })).toBeVisible();
  expect(await smallTargets(page)).toEqual([]);
});

/** Controls less than 44 pixels high, except links inside a sentence. */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const isInSentence = (element: Element) =>
      getComputedStyle(element).display === 'inline' &&
      (element.parentElement?.textContent ?? '').trim() !== (element.textContent ?? '').trim();
    return [...document.querySelectorAll<HTMLElement>('a, button, select, summary, [role=button]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => element.getBoundingClientRect().bottom > 0 && !isInSentence(element))
      .filter((element) => element.getBoundingClientRect().height < 44)
      .map((element) => `${element.getBoundingClientRect().height}: ${element.outerHTML.slice(0, 160)}`);
  });
}
