import type { Page } from '@playwright/test';
import { startSite } from '../harness/site.ts';
import { expect, test } from '../harness/test.ts';

const theme = (page: Page, name: string) => page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name });
const html = (page: Page) => page.locator('html');

test('the theme follows the system until another is chosen, and again with System', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  await expect(theme(page, 'System')).toBeChecked();
  await expect(html(page)).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html(page)).toHaveAttribute('data-theme', 'light');
  await theme(page, 'Dark').check();
  await expect(html(page)).toHaveAttribute('data-theme', 'dark');
  await theme(page, 'System').check();
  await expect(html(page)).toHaveAttribute('data-theme', 'light');
});

test('with reduced motion the theme changes everywhere in one step', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('/');
  await expect(theme(page, 'System')).toBeChecked();
  const changing = await page.evaluate(() => {
    document.documentElement.dataset['theme'] = 'dark';
    return document.getAnimations().filter((animation) => animation instanceof CSSTransition).length;
  });
  expect(changing).toBe(0);
});

const entries = [
  ['Home', '/'],
  ['About Us', '/about-us'],
  ['Speed Test', '/speed-test'],
  ['Pricing', '/plan-pricing'],
  ['API Docs', '/api-docs'],
  ['FAQs', '/faqs'],
] as const;

test('the navigation links to every public page, marks the current page, and has the contacts', async ({ page }) => {
  await using site = await startSite({
    CONTACT_EMAIL: 'ada@example.com',
    CONTACT_CHAT_URL: 'https://chat.example.com/kelp',
  });
  const nav = page.getByRole('navigation', { name: 'Main' });
  await page.goto(site.url);
  for (const [name, path] of entries) {
    await nav.getByRole('link', { name }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    // The API docs have no navigation.
    if (path === '/api-docs') await page.goBack();
    else await expect(nav.locator('[aria-current=page]')).toHaveText(name);
  }
  await nav.getByRole('button', { name: 'Contact' }).click();
  await expect(nav.getByRole('link', { name: 'Email us' })).toHaveAttribute('href', 'mailto:ada@example.com');
  const chat = nav.getByRole('link', { name: 'Community chat' });
  await expect(chat).toHaveAttribute('href', 'https://chat.example.com/kelp');
  await expect(chat).toHaveAttribute('target', '_blank');
  await expect(chat).toHaveAttribute('rel', /noreferrer/);
  await expect(page.getByRole('contentinfo').getByTitle(/^Holdfast \d+\.\d+\.\d+$/)).toHaveText('Holdfast');
});

for (const { what, path, next } of [
  { what: 'the dashboard', path: '/dashboard/account-info', next: 'Plan Info' },
  { what: 'a public page', path: '/about-us', next: 'Pricing' },
])
  test(`turning a tablet with the navigation of ${what} open keeps it usable`, async ({ signedInPage: page }) => {
    await page.setViewportSize({ width: 820, height: 1180 });
    await page.goto(path);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.setViewportSize({ width: 1180, height: 820 });
    await page.getByRole('dialog', { name: 'Navigation' }).getByRole('link', { name: next }).click();
    await expect(page.getByRole('heading', { level: 1, name: next })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
