import { pageHeading, checkingSession } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test('without a session no session check is sent, and the console is empty', async ({ page }) => {
  const said: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const [path, heading] of [
    ['/', 'A link that holds.'],
    ['/sign-in', 'Sign In'],
    ['/dashboard', 'Sign In'],
  ] as const) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(pageHeading(page)).toHaveText(heading);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
  }
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
  expect(said).toEqual([]);
});

test('a session cookie causes a session check, and an ended session leads to sign-in', async ({
  page,
  context,
  site,
}) => {
  const name = `holdfast-session-${new URL(site.url).port}`;
  await context.addCookies([{ name, value: 'kelp', url: site.url }]);
  const check = page.waitForResponse('**/get-account-info');
  await page.goto('/dashboard');
  expect((await check).status()).toBe(401);
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(pageHeading(page)).toHaveText('Sign In');
});

test('with a session the account is requested once, before the app has run', async ({ page, regular }) => {
  const asked: string[] = [];
  const said: string[] = [];
  page.on('request', (request) => request.url().endsWith('/get-account-info') && asked.push(request.url()));
  page.on('console', (message) => said.push(message.text()));
  const first = page.waitForRequest('**/get-account-info');
  const letGo = Promise.withResolvers<void>();
  await page.route('**/assets/index-*.js', async (route) => {
    await letGo.promise;
    await route.continue();
  });
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await first;
  letGo.resolve();
  await expect(page.getByRole('banner')).toContainText(regular.email);
  await page.waitForLoadState('networkidle');
  expect(asked).toHaveLength(1);
  expect(said).toEqual([]);
});

test('the session check is shown before the app has loaded, but only with a session cookie', async ({
  page,
  regular,
  context,
}) => {
  await page.route('**/assets/index-*.js', () => {});
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expect(checkingSession(page), regular.email).toBeVisible();
  await expect(page.locator('svg.animate-spin')).toHaveCSS('width', '16px');
  await context.clearCookies();
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.locator('#root')).toBeAttached();
  await expect(page.locator('#root')).toHaveText('');
});

test('the home page loads no toast script, and the sign-in page loads one', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
  const ofToasts = () => scripts.filter((path) => /\/(toast|ToastPile)-[^/]+\.js$/.test(path));
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(ofToasts()).toEqual([]);
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await expect(pageHeading(page)).toHaveText('Sign In');
  expect(new Set(ofToasts()).size).toBe(1);
});

test('the script of a page is requested before the app has run', async ({ page }) => {
  await page.route('**/assets/index-*.js', () => {});
  const asked = page.waitForRequest(/\/assets\/PlanPricingPage-[^/]+\.js$/);
  await page.goto('/plan-pricing', { waitUntil: 'commit' });
  await asked;
});
