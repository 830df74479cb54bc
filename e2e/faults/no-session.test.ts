import { pageHeading } from '../harness/screen.ts';
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
