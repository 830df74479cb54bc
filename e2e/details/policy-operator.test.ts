import { freePort } from '@holdfast/test-support/free-ports.ts';
import { policySection } from '../harness/policy-screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, test } from '../harness/test.ts';

test("the policies carry the operator's names", async ({ page }) => {
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
    await expect(page.getByRole('main').getByRole('link', { name: 'community chat' }).first()).toHaveAttribute(
      'href',
      'https://chat.example.com/kelp',
    );
  }
});

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
