import { freePort } from '@holdfast/test-support/free-ports.ts';
import { policySection } from '../harness/policy-screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, test } from '../harness/test.ts';

test("the policies contain the operator's name and contact details", async ({ page }) => {
  await using site = await startSite({
    SITE_NAME: 'Kelp & Co',
    CONTACT_EMAIL: 'crew@example.com',
    CONTACT_CHAT_URL: 'https://chat.example.com/kelp',
    DMCA_AGENT: 'Ada Kelp\n1 Harbour Road\ncopyright@example.com',
  });
  await page.goto(`${site.url}/dmca-policy`);
  const agent = policySection(page, 'Designated agent');
  await expect(agent).toContainText('Ada Kelp 1 Harbour Road copyright@example.com', { useInnerText: true });
  await expect(agent.getByRole('link')).toHaveAttribute('href', 'mailto:copyright@example.com');
  for (const path of ['/terms-of-service', '/privacy-policy']) {
    await page.goto(`${site.url}${path}`);
    await expect(page.getByRole('main')).toContainText('operator of Kelp & Co');
    await expect(page.getByRole('main')).not.toContainText('Holdfast');
    await expect(page.getByRole('main').getByRole('link', { name: 'crew@example.com' }).first()).toBeVisible();
  }
});

test('the privacy policy names only the third parties that this site uses', async ({ page }) => {
  const others = policySection(page, 'Who else is involved');
  await page.goto('/privacy-policy');
  await expect(others).toContainText('No other company is involved');
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
