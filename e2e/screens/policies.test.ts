import type { Page } from '@playwright/test';
import { policyContents, policySection } from '../harness/policy-screen.ts';
import { expect, test } from '../harness/test.ts';

const top = (page: Page, id: string) => page.locator(`#${id}`).evaluate((place) => place.getBoundingClientRect().top);

/** Facts that each policy must state, anywhere on its page. */
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
    /Known browser.*signed in with your email before/,
    /active storage within 7 days/,
    /backups for up to one year/,
    /email address, the name and the time zone within 7 days/,
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

test(
  'each policy states its facts and its revision date, and its contents lead to its sections',
  { tag: '@detail' },
  async ({ page }) => {
    for (const [path, texts] of Object.entries(facts)) {
      await page.goto(path);
      await expect(page.getByText('Policies last revised August 28, 2025')).toBeVisible();
      const shown = (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ');
      for (const text of texts) expect(shown, path).toMatch(text);
    }
    await page.goto('/privacy-policy#retention');
    await expect(policySection(page, 'How long it is kept')).toBeFocused();
    // Below the header, which stays at the top.
    await expect.poll(() => top(page, 'retention')).toBeLessThan(300);
    expect(await top(page, 'retention')).toBeGreaterThanOrEqual(64);

    await page.goto('/terms-of-service');
    await policyContents(page).getByRole('link', { name: 'Payments' }).click();
    await expect(page).toHaveURL(/#payments$/);
    await expect(policySection(page, 'Payments')).toBeInViewport();
    await expect(policyContents(page).locator('[aria-current=location]')).toHaveText(['Payments']);
    await expect(policyContents(page)).toBeInViewport();
  },
);
