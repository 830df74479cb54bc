import type { Page } from '@playwright/test';
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

test('the navigation links to every public page, marks the current page, and has the contacts', async ({
  page,
  reachable,
}) => {
  await page.goto(reachable.url);
  for (const [name, path] of entries) {
    await nav(page).getByRole('link', { name }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    // The API docs have no navigation.
    if (path === '/api-docs') await page.goBack();
    else await expect(nav(page).locator('[aria-current=page]')).toHaveText(name);
  }
  await nav(page).getByRole('button', { name: 'Contact' }).click();
  await expectContacts(page);
  await expect(page.getByRole('contentinfo').getByTitle(/^Holdfast \d+\.\d+\.\d+$/)).toHaveText('Holdfast');
});

test('on a phone the navigation opens as a sheet, and a link or Escape closes it', async ({ page, reachable }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(reachable.url);
  await expect(nav(page)).toBeHidden();
  const opener = page.getByRole('button', { name: 'Open navigation' });
  await opener.click();
  await expectContacts(page);
  await page.keyboard.press('Escape');
  await expect(nav(page)).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await nav(page).getByRole('link', { name: 'FAQs' }).click();
  await expect(page).toHaveURL(/\/faqs$/);
  await expect(nav(page)).toBeHidden();
});

async function expectContacts(page: Page): Promise<void> {
  const chat = nav(page).getByRole('link', { name: 'Community chat' });
  await expect(nav(page).getByRole('link', { name: 'Email us' })).toHaveAttribute('href', 'mailto:ada@example.com');
  await expect(chat).toHaveAttribute('href', 'https://chat.example.com/kelp');
  await expect(chat).toHaveAttribute('target', '_blank');
  await expect(chat).toHaveAttribute('rel', /noreferrer/);
}
