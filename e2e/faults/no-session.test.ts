import { holdBack } from '../harness/hold-back.ts';
import { checkingSession, pageHeading } from '../harness/screen.ts';
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

test('the script of a page is requested before the app has run', async ({ page }) => {
  await page.route('**/assets/index-*.js', () => {});
  const asked = page.waitForRequest(/\/assets\/PlanPricingPage-[^/]+\.js$/);
  await page.goto('/plan-pricing', { waitUntil: 'commit' });
  await asked;
});

test('the session check stays on the screen until the first page has loaded', async ({ signedInPage: page }) => {
  const script = await holdBack(page, '**/assets/UploadFilesPage-*.js');
  const check = page.waitForResponse('**/get-account-info');
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await (await check).finished();
  await expect(checkingSession(page)).toBeVisible();
  script.letGo();
  await expect(pageHeading(page)).toHaveText('Upload Files');
});

test('a session check that fails is named on the sign-in page, and can be repeated', async ({ signedInPage: page }) => {
  let checks = 0;
  let isBroken = true;
  await page.route('**/get-account-info', (route) => {
    checks += 1;
    return isBroken ? route.fulfill({ status: 500, json: { success: false, error: 'no' } }) : route.continue();
  });
  await page.goto('/dashboard/account-info');
  await expect(page.getByText('you may still be signed in')).toBeVisible();
  // Both pages check four times on their own.
  await expect.poll(() => checks).toBe(8);
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(pageHeading(page)).toHaveText('Account Info');
});
