import type { Page } from '@playwright/test';
import { freePort } from '../harness/free-port.ts';
import { pageHeading } from '../harness/screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, test } from '../harness/test.ts';

const contents = (page: Page) => page.getByRole('navigation', { name: 'On this page' });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const top = (page: Page, id: string) => page.locator(`#${id}`).evaluate((place) => place.getBoundingClientRect().top);
const phone = { width: 390, height: 800 };

/** What each policy must state, anywhere on its page. */
const facts = {
  '/terms-of-service': [
    /aged 16 and over/,
    /Each person may have one account/,
    /Sharing an account or its API key .* not supported/,
    /responsible for all activity on your account/,
    /Malware is not tolerated/,
    /you delete it/,
    /its account is deleted/,
    /it is illegal/,
    /detected as malware/,
    /space of your account runs out .* Continuous Uploading/,
    /no direct activity for over a year \(12 months or more\)/,
    /violates these terms/,
    /stay indefinitely/,
    /30 and 7 days before .* all of them, favorites too/,
    /those bytes cannot be uploaded again/,
    /withheld instead: nobody can download it or upload it again/,
    /the plan stays for 7 days/,
    /active storage within 7 days/,
    /backups for up to one year/,
    /no refund for time/,
    /4 requests per second/,
    /can change without notice/,
  ],
  '/privacy-policy': [
    /aged 16 and over/,
    /Hashed and salted/,
    /Timezone and preferences/,
    /filename, size and type/,
    /address \(IP\) .* which browser/,
    /Session.*Keeps you signed in/,
    /Pending sign-up.*Ties the code/,
    /Known browser.*signed in with your e-mail before/,
    /active storage within 7 days/,
    /backups for up to one year/,
    /e-mail address, the name and the time zone within 7 days/,
    /removed from your account without you: 12 months/,
    /Sharing an account or an API key is not supported/,
  ],
  '/dmca-policy': [
    /full link of each file/,
    /under penalty of perjury/,
    /cannot help with content uploaded by the operator or its staff/,
    /restored, .* unless the complainant sues/,
    /infringes copyrights repeatedly is closed/,
  ],
} as const;

for (const [path, texts] of Object.entries(facts)) {
  test(`${path} states its facts and when they were last revised`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByText('Policies last revised August 28, 2025')).toBeVisible();
    for (const text of texts) await expect(page.getByRole('main')).toContainText(text);
  });

  test(`the contents of ${path} lead to every section`, async ({ page }) => {
    await page.goto(path);
    await expect(pageHeading(page)).toBeVisible();
    const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    expect(titles.length).toBeGreaterThan(6);
    await expect(contents(page).getByRole('link')).toHaveText(titles);
    for (const link of await contents(page).getByRole('link').all()) {
      const id = ((await link.getAttribute('href')) ?? '').slice(1);
      await expect(page.locator(`#${id}`).getByRole('heading')).toHaveText([(await link.textContent()) ?? '']);
    }
  });
}

test('the contents stay beside the text and mark the section that is read', async ({ page }) => {
  await page.goto('/terms-of-service');
  await contents(page).getByRole('link', { name: 'Payments' }).click();
  await expect(page).toHaveURL(/#payments$/);
  await expect(section(page, 'Payments')).toBeInViewport();
  await expect(contents(page).locator('[aria-current=location]')).toHaveText(['Payments']);
  await expect(contents(page)).toBeInViewport();
});

test('the contents mark the last section at the end of the page, and the first one back at its top', async ({
  page,
}) => {
  await page.goto('/dmca-policy');
  const marked = contents(page).locator('[aria-current=location]');
  await expect(marked).toHaveText(['Policy']);
  // The browser may still be scrolling for the previous key, and then ignores the next one.
  for (const [key, name] of [
    ['End', 'Designated agent'],
    ['Home', 'Policy'],
  ] as const)
    await expect(async () => {
      await page.keyboard.press(key);
      await expect(marked).toHaveText([name], { timeout: 2_000 });
    }).toPass();
});

test('a link to a section arrives there, below the header', async ({ page }) => {
  await page.goto('/privacy-policy#retention');
  await expect(section(page, 'How long it is kept')).toBeFocused();
  await expect.poll(() => top(page, 'retention')).toBeLessThan(300);
  expect(await top(page, 'retention')).toBeGreaterThanOrEqual(64);
});

test('so does a link from another page', async ({ page }) => {
  await page.goto('/terms-of-service');
  await section(page, 'Ending it').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page).toHaveURL(/\/privacy-policy#retention$/);
  await expect(section(page, 'How long it is kept')).toBeInViewport();
});

test('on a phone the contents fold away above the text', async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto('/dmca-policy');
  await expect(contents(page)).toBeHidden();
  await page.getByText('On this page', { exact: true }).locator('visible=true').press('Enter');
  await contents(page).getByRole('link', { name: 'Designated agent' }).click();
  await expect(section(page, 'Designated agent')).toBeInViewport();
});

test('on paper there is the text alone, dark on light', async ({ page }) => {
  const ink = () => pageHeading(page).evaluate((heading) => getComputedStyle(heading).color);
  await page.goto('/terms-of-service');
  const onLight = await ink();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ink).not.toBe(onLight);
  await page.emulateMedia({ media: 'print' });
  expect(await ink()).toBe(onLight);
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(contents(page)).toBeHidden();
  await expect(section(page, 'Payments')).toBeVisible();
});

test("the policies carry the operator's names", async ({ page }) => {
  await using site = await startSite({
    SITE_NAME: 'Kelp & Co',
    CONTACT_EMAIL: 'crew@example.com',
    CONTACT_CHAT_URL: 'https://chat.example.com/kelp',
    DMCA_AGENT: 'Ada Kelp\n1 Harbour Road\ncopyright@example.com',
  });
  await page.goto(`${site.url}/dmca-policy`);
  const agent = section(page, 'Designated agent');
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
  await expect(section(page, 'Designated agent').getByRole('link', { name: 'crew@example.com' })).toBeVisible();
});

test('where nothing is configured the pages say how to find the operator', async ({ page }) => {
  for (const [path, name] of [
    ['/dmca-policy', 'Designated agent'],
    ['/terms-of-service', 'Contact'],
    ['/privacy-policy', 'In short'],
  ] as const) {
    await page.goto(path);
    await expect(section(page, name)).toContainText('The registration record of its domain');
  }
});

test('the privacy policy names the companies that this site uses, and no other', async ({ page }) => {
  const others = section(page, 'Who else is involved');
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
