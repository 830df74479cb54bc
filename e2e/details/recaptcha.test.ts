import type { Page } from '@playwright/test';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { errorBox } from '../harness/screen.ts';
import { type Site, startSite } from '../harness/site.ts';
import { expect, goodPassword, test as base } from '../harness/test.ts';

/** `guarded` is a site whose operator has enabled reCAPTCHA. */
const test = base.extend<{ guarded: Site }>({
  guarded: async ({ keeper }, use) => use(await keeper.run('guarded', startGuarded)),
});

async function startGuarded(own: AsyncDisposableStack): Promise<Site> {
  const port = String(await freePort());
  const site = await startSite({
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}`,
    CAPTCHA: 'recaptcha',
    RECAPTCHA_SITE_KEY: 'the site key',
    RECAPTCHA_SECRET: 'the secret',
  });
  return own.use(site);
}

const script = 'https://www.google.com/recaptcha/api.js?render=the%20site%20key';
const login = '**/api/v3/session/login';

/** Google's script, as far as a page uses it. */
const standIn = `window.grecaptcha = {
  ready: (then) => setTimeout(then),
  execute: async (siteKey, { action }) => 'token for ' + action + ' from ' + siteKey,
};`;

const serve = (page: Page, body = standIn) =>
  page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body }));

/** Intercepts the call, because the server would contact Google. */
const catchLogin = async (page: Page) => {
  await page.route(login, (route) => route.fulfill({ status: 403, json: { success: false } }));
  return page.waitForRequest(login);
};

async function signIn(page: Page, site: Site) {
  await page.goto(`${site.url}/sign-in`);
  await page.getByLabel('Email', { exact: true }).fill('kelp@example.com');
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await submit(page).click();
}

const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Sign In' });

test('reCAPTCHA is loaded when a form is sent, and its token is part of the call', async ({ page, guarded }) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(guarded.url)) elsewhere.push(request.url());
  });
  await serve(page);
  await page.goto(`${guarded.url}/sign-in`);
  await expect(submit(page)).toBeVisible();
  expect(elsewhere).toEqual([]);
  const sent = catchLogin(page);
  await signIn(page, guarded);
  expect((await sent).postDataJSON()).toMatchObject({ captcha_token: 'token for login from the site key' });
  expect(elsewhere).toEqual([script]);
});

test('an error is shown if reCAPTCHA fails to load or returns no token, and the next attempt loads it', async ({
  page,
  guarded,
}) => {
  await page.route(script, (route) => route.abort());
  await signIn(page, guarded);
  await expect(errorBox(page)).toHaveText('reCAPTCHA not loaded');
  await page.unroute(script);
  await serve(page);
  const sent = catchLogin(page);
  await submit(page).click();
  expect((await sent).postDataJSON()).toMatchObject({ captcha_token: 'token for login from the site key' });

  await page.unroute(script);
  await serve(page, `window.grecaptcha = { ready: (then) => then(), execute: () => Promise.reject(new Error()) };`);
  await signIn(page, guarded);
  await expect(errorBox(page)).toHaveText('reCAPTCHA not loaded');
});
