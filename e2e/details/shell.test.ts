import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading } from '../harness/screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, test } from '../harness/test.ts';

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' });
const entry = (page: Page, name: string) => sidebar(page).getByRole('link', { name, exact: true });
const settings = (page: Page) => sidebar(page).getByRole('button', { name: 'Settings' });
const current = (page: Page) => page.locator('[aria-current=page]:visible');
const theme = (page: Page, name: string) => page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name });
const html = (page: Page) => page.locator('html');
const phone = { width: 390, height: 800 };

test('the sidebar has its entries in order', async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await expect(sidebar(page).getByRole('link')).toHaveText([
    'Upload Files',
    'File Management',
    'Account Info',
    'Plan Info',
  ]);
  await settings(page).click();
  await expect(sidebar(page).getByRole('listitem')).toHaveText([
    'General Settings',
    'Security',
    'Change API',
    'Delete Account',
  ]);
  const links = {
    'Upload Files': '/dashboard',
    Security: '/dashboard/security',
    'Change API': '/dashboard/change-api',
  };
  for (const [name, path] of Object.entries(links)) await expect(entry(page, name)).toHaveAttribute('href', path);
});

for (const { path, name } of [
  { path: '/dashboard', name: 'Upload Files' },
  { path: '/dashboard/settings', name: 'Upload Files' },
  { path: '/dashboard/analytics', name: 'Upload Files' },
  { path: '/dashboard/file-management', name: 'File Management' },
  { path: '/dashboard/account-info', name: 'Account Info' },
  { path: '/dashboard/plan-info', name: 'Plan Info' },
]) {
  test(`at ${path} the sidebar marks '${name}' and nothing else`, async ({ signedInPage: page }) => {
    await page.goto(path);
    await expect(entry(page, name)).toHaveAttribute('aria-current', 'page');
    await expect(current(page)).toHaveText([name]);
  });
}

test('the Settings group opens automatically on its own pages, and can be closed', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await expect(settings(page)).toHaveAttribute('aria-expanded', 'false');
  await expect(entry(page, 'Security')).toBeHidden();
  await page.goto('/dashboard/security');
  await expect(settings(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(entry(page, 'Security')).toHaveAttribute('aria-current', 'page');
  await settings(page).click();
  await expect(entry(page, 'Security')).toBeHidden();
});

test('the Settings group opens automatically on navigation to one of its pages', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/settings');
  await expect(pageHeading(page)).toHaveText('Settings');
  await expect(settings(page)).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('main').getByRole('link', { name: 'Change API' }).click();
  await expect(settings(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(entry(page, 'Change API')).toBeVisible();
});

for (const { path, name } of [
  { path: '/dashboard/general', name: 'General Settings' },
  { path: '/dashboard/security', name: 'Security' },
  { path: '/dashboard/change-api', name: 'Change API' },
  { path: '/dashboard/delete-account', name: 'Delete Account' },
]) {
  test(`at ${path} the open group marks '${name}' and nothing else`, async ({ signedInPage: page }) => {
    await page.goto(path);
    await expect(current(page)).toHaveText([name]);
    await expect(sidebar(page).locator('[data-current]')).toHaveText([name]);
  });
}

for (const path of ['/sign-in', '/sign-up', '/verify-code', '/forget-password', '/reset-password#key=kelp']) {
  test(`a signed-in user is redirected from ${path} to the dashboard`, async ({ signedInPage: page }) => {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(pageHeading(page)).toHaveText('Upload Files');
  });
}

test('the header shows the email of the account, and Escape closes the account menu', async ({ page, regular }) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('banner')).toContainText(`Welcome back ${regular.email}`);
  const menu = page.getByRole('button', { name: 'Account menu' });
  await menu.press('Enter');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden();
  await expect(menu).toBeFocused();
});

test('a signed-in user has the account menu on the home page', async ({ page, regular }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeHidden();
  await page.getByRole('button', { name: 'Account menu' }).click();
  const banner = page.getByRole('banner');
  await expect(banner.getByText(regular.email.split('@')[0] ?? '', { exact: true })).toBeVisible();
  await expect(banner.getByText(regular.email, { exact: true })).toBeVisible();
  await banner.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('an unknown dashboard page shows a not-found page inside the shell', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/no/such/page');
  await expect(pageHeading(page)).toHaveText("Whoops, there's nothing here...");
  await expect(sidebar(page)).toBeVisible();
  await page.getByRole('main').getByRole('link').click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('an unknown page shows a not-found page with a link to the home page', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(pageHeading(page)).toHaveText("Whoops, there's nothing here...");
  await expect(page.getByText("The page you're looking for doesn't exist or has moved.")).toBeVisible();
  await page.getByRole('main').getByRole('link').click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('link', { name: 'Start Free Upload' })).toBeVisible();
});

test('the home page describes free uploads and links to uploading, plans and About Us', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText(/Free uploads up to 500MB and free API access/)).toBeVisible();
  for (const [name, path] of [
    ['Start Free Upload', '/dashboard'],
    ['Explore Premium Plans', '/plan-pricing'],
    ['Learn More', '/about-us'],
  ] as const)
    await expect(page.getByRole('link', { name })).toHaveAttribute('href', path);
  await expect(page.getByRole('region', { name: 'Features' }).getByRole('listitem')).toHaveCount(4);
});

test('the public navigation and the footer have their entries in order', async ({ page }) => {
  await page.goto('/');
  const main = page.getByRole('navigation', { name: 'Main' });
  await expect(main.getByRole('link')).toHaveText(['Home', 'About Us', 'Speed Test', 'Pricing', 'API Docs', 'FAQs']);
  await expect(main.locator('[aria-current=page]')).toHaveText(['Home']);
  await expect(page.getByRole('navigation', { name: 'Legal' }).getByRole('link')).toHaveText([
    'Terms of Service',
    'Privacy Policy',
    'DMCA Policy',
  ]);
});

test('on a phone the public navigation opens as a sheet, and a link or Escape closes it', async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto('/');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await page.getByRole('button', { name: 'Open navigation' }).click();
  const sheet = page.getByRole('dialog', { name: 'Navigation' });
  await expect(sheet.getByRole('navigation').getByRole('link')).toHaveText([
    'Home',
    'About Us',
    'Speed Test',
    'Pricing',
    'API Docs',
    'FAQs',
  ]);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open navigation' })).toBeFocused();
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await sheet.getByRole('link', { name: 'FAQs' }).click();
  await expect(page).toHaveURL(/\/faqs$/);
  await expect(sheet).toBeHidden();
});

test('on a phone the sidebar opens as a sheet, and a link or its button closes it', async ({ signedInPage: page }) => {
  await page.setViewportSize(phone);
  await page.goto('/dashboard');
  await expect(sidebar(page)).toBeHidden();
  await page.getByRole('button', { name: 'Open navigation' }).click();
  const sheet = page.getByRole('dialog', { name: 'Navigation' });
  await sheet.getByRole('button', { name: 'Close' }).click();
  await expect(sheet).toBeHidden();
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await sheet.getByRole('link', { name: 'Account Info' }).click();
  await expect(pageHeading(page)).toHaveText('Account Info');
  await expect(sheet).toBeHidden();
});

for (const width of [390, 1440]) {
  test(`the header is aligned with the page below, at ${width}`, async ({ signedInPage: page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/dashboard/file-management');
    const edge = await page.getByRole('region', { name: 'Your files' }).boundingBox();
    const initial = await page.getByRole('button', { name: 'Account menu' }).locator('span').boundingBox();
    expect((initial?.x ?? 0) + (initial?.width ?? 0)).toBe((edge?.x ?? 0) + (edge?.width ?? 0));
    if (width > 390) return;
    const menu = await page.getByRole('button', { name: 'Open navigation' }).locator('svg').boundingBox();
    expect(menu?.x).toBe(edge?.x);
  });
}

test('a chosen theme is applied before the app has loaded', async ({ page }) => {
  await page.goto('/');
  await theme(page, 'Dark').check();
  await expect(html(page)).toHaveAttribute('data-theme', 'dark');
  const script = await holdBack(page, '**/assets/*.js');
  await page.goto('/', { waitUntil: 'commit' });
  await expect(html(page)).toHaveAttribute('data-theme', 'dark');
  await expect(pageHeading(page)).toBeHidden();
  script.letGo(100);
  await expect(theme(page, 'Dark')).toBeChecked();
  await expect(html(page)).toHaveAttribute('data-theme', 'dark');
});

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

test('the first Tab focuses a link that skips the navigation', async ({ page }) => {
  await page.goto('/');
  await expect(pageHeading(page)).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('a public page opens at its top, with the focus on its heading', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 300 });
  await page.goto('/');
  await page.getByRole('link', { name: 'Terms of Service' }).scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Terms of Service' }).click();
  await expect(pageHeading(page)).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('a dashboard page opens at its top, with the focus on its heading', async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 1280, height: 300 });
  await page.goto('/dashboard');
  await page.getByText('No files selected for upload').scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await entry(page, 'Account Info').click();
  await expect(pageHeading(page)).toHaveText('Account Info');
  await expect(pageHeading(page)).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("the home page shows the operator's name and contact details", async ({ page }) => {
  await using site = await startSite({
    SITE_NAME: 'Kelp & Co',
    CONTACT_EMAIL: 'crew@example.com',
    CONTACT_CHAT_URL: 'https://chat.example.com/kelp',
  });
  await page.goto(site.url);
  await expect(page).toHaveTitle('Home · Kelp & Co');
  await page.getByRole('button', { name: 'Contact' }).click();
  await expect(page.getByRole('link', { name: 'Email us' })).toHaveAttribute('href', 'mailto:crew@example.com');
  const chat = page.getByRole('link', { name: 'Community chat' });
  await expect(chat).toHaveAttribute('href', 'https://chat.example.com/kelp');
  await expect(chat).toHaveAttribute('target', '_blank');
});

test('there is no Contact menu if the operator has set no contact details', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).not.toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Contact' })).toBeHidden();
});
