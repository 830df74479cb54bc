import type { Page } from '@playwright/test';
import { policyContents, policySection } from '../harness/policy-screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, test } from '../harness/test.ts';

const top = (page: Page, id: string) => page.locator(`#${id}`).evaluate((place) => place.getBoundingClientRect().top);

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
}

test('the contents stay beside the text and mark the section that is read', async ({ page }) => {
  await page.goto('/terms-of-service');
  await policyContents(page).getByRole('link', { name: 'Payments' }).click();
  await expect(page).toHaveURL(/#payments$/);
  await expect(policySection(page, 'Payments')).toBeInViewport();
  await expect(policyContents(page).locator('[aria-current=location]')).toHaveText(['Payments']);
  await expect(policyContents(page)).toBeInViewport();
});

test('a link to a section arrives there, below the header', async ({ page }) => {
  await page.goto('/privacy-policy#retention');
  await expect(policySection(page, 'How long it is kept')).toBeFocused();
  await expect.poll(() => top(page, 'retention')).toBeLessThan(300);
  expect(await top(page, 'retention')).toBeGreaterThanOrEqual(64);
});

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
