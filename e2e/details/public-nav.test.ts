import type { Page } from '@playwright/test';
import { toast } from '../harness/screen.ts';
import { type Site, startSite } from '../harness/site.ts';
import { expect, test as base } from '../harness/test.ts';

/** `reachable` is a site whose operator has set contact details. */
const test = base.extend<{ reachable: Site }>({
  reachable: async ({ keeper }, use) => {
    const settings = { CONTACT_EMAIL: 'ada@example.com', CONTACT_CHAT_URL: 'https://chat.example.com/kelp' };
    await use(await keeper.run('reachable', async (own) => own.use(await startSite(settings))));
  },
});

const entries = [
  ['Home', '/'],
  ['About Us', '/about-us'],
  ['Speed Test', '/speed-test'],
  ['Pricing', '/plan-pricing'],
  ['API Docs', '/api-docs'],
  ['FAQs', '/faqs'],
] as const;
const nav = (page: Page) => page.getByRole('navigation', { name: 'Main' });

for (const width of [390, 1280]) {
  test(`at ${width} the navigation links to every public page and marks the current page`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    for (const [name, path] of entries) {
      await openNav(page, width);
      await nav(page).getByRole('link', { name }).click();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      // The API docs have no navigation.
      if (path === '/api-docs') await page.goBack();
      else {
        await openNav(page, width);
        await expect(nav(page).locator('[aria-current=page]')).toHaveText(name);
        await page.keyboard.press('Escape');
      }
    }
  });

  test(`at ${width} Contact has an email link and an external chat link`, async ({ page, reachable }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(reachable.url);
    await openNav(page, width);
    if (width > 1024) await nav(page).getByRole('button', { name: 'Contact' }).click();
    const mail = nav(page).getByRole('link', { name: 'Email us' });
    const chat = nav(page).getByRole('link', { name: 'Community chat' });
    await expect(mail).toHaveAttribute('href', 'mailto:ada@example.com');
    await expect(chat).toHaveAttribute('href', 'https://chat.example.com/kelp');
    await expect(chat).toHaveAttribute('target', '_blank');
    await expect(chat).toHaveAttribute('rel', /noreferrer/);
  });
}

async function openNav(page: Page, width: number): Promise<void> {
  if (width < 1024 && !(await nav(page).isVisible()))
    await page.getByRole('button', { name: 'Open navigation' }).click();
}

test('logging out on a public page shows a toast and opens the home page', async ({ page, person }) => {
  await page.goto('/plan-pricing');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expect(page.getByRole('banner').getByText(person.email, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page, 'You have been logged out!')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
});

test("the account menu shows 'Username' for an account without a name", async ({ signedInPage: page }) => {
  await page.route('**/get-account-info', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace(/"name":"[^"]*"/, '"name":""') });
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expect(page.getByRole('banner').getByText('Username', { exact: true })).toBeVisible();
});

test('the name of the site in the footer tells the version', async ({ page }) => {
  await page.goto('/');
  const name = page.getByRole('contentinfo').getByTitle(/^Holdfast \d+\.\d+\.\d+$/);
  await expect(name).toHaveText('Holdfast');
});
