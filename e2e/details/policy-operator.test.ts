import { freePort } from '../harness/free-port.ts';
import { policySection } from '../harness/policy-screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, test } from '../harness/test.ts';

test('notices go to the contact address where no agent is named', async ({ page }) => {
  await using site = await startSite({ CONTACT_EMAIL: 'crew@example.com' });
  await page.goto(`${site.url}/dmca-policy`);
  await expect(policySection(page, 'Designated agent').getByRole('link', { name: 'crew@example.com' })).toBeVisible();
});

test('where nothing is configured the pages say how to find the operator', async ({ page }) => {
  for (const [path, name] of [
    ['/dmca-policy', 'Designated agent'],
    ['/terms-of-service', 'Contact'],
    ['/privacy-policy', 'In short'],
  ] as const) {
    await page.goto(path);
    await expect(policySection(page, name)).toContainText('The registration record of its domain');
  }
});

test('the privacy policy names the companies that this site uses, and no other', async ({ page }) => {
  const others = policySection(page, 'Who else is involved');
  await page.goto('/privacy-policy');
  await expect(others).toContainText('Nobody else hears of it');
  for (const name of ['Google', 'Sentry', 'Stripe']) await expect(page.getByRole('main')).not.toContainText(name);
  const port = String(await freePort());
  await using site = await startSite({
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}`,
    CAPTCHA: 'recaptcha',
    RECAPTCHA_SITE_KEY: 'the site key',
    RECAPTCHA_SECRET: 'the secret',
    SENTRY_DSN: `http://key@localhost:${port}/1`,
  });
  await page.goto(`${site.url}/privacy-policy`);
  await expect(others).toContainText('Google’s reCAPTCHA');
  await expect(others).toContainText('Sentry');
});
