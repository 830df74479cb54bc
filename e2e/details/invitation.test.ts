import { createHash, randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { fillSignUp, signUpButton } from '../harness/sign-up-screen.ts';
import { type Site, startSite } from '../harness/site.ts';
import { codeField } from '../harness/verify-code-screen.ts';
import { expect, newEmail, test as base } from '../harness/test.ts';

/** A site whose people were invited, and nobody is there yet. */
const test = base.extend({
  site: async ({ keeper }, use) =>
    use(
      await keeper.run('site', async (own) =>
        own.use(await startSite({ SIGN_UP: 'invite', CONTACT_EMAIL: 'ada@example.com' })),
      ),
    ),
});

/** Writes an invitation for one account on House, and returns the path of its link. */
function invite(site: Site, { verifies }: { readonly verifies: 0 | 1 }): string {
  const token = randomUUID();
  using database = site.openDatabase();
  database
    .prepare(
      `INSERT INTO invitations (id, token_hash, for_owner, verifies, level, most_uses, created_at, expires_at)
       VALUES (?, ?, 0, ?, 'house', 1, ?, ?)`,
    )
    .run(randomUUID(), createHash('sha256').update(token).digest('hex'), verifies, Date.now(), Date.now() + 3_600_000);
  return `/sign-up#invitation=${token}`;
}

const form = (page: Page) => page.getByLabel('Email', { exact: true });

test('without an invitation there is no form, and no other page leads there', async ({ page }) => {
  await page.goto('/sign-up');
  await expect(pageHeading(page)).toHaveText('Sign Up');
  const main = page.getByRole('main');
  await expect(main).toContainText('You need an invitation to sign up on this site.');
  await expect(main).toContainText('If you have one, open its link. Write to ada@example.com.');
  await expect(form(page)).toBeHidden();
  for (const path of ['/sign-in', '/forget-password']) {
    await page.goto(path);
    await expect(form(page)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign Up' })).toBeHidden();
  }
});

test('an invitation opens the form, leaves the address bar, survives a reload, and signs in without a code', async ({
  page,
  site,
}) => {
  await page.goto(invite(site, { verifies: 1 }));
  await expect(page.getByRole('main')).toContainText('You have an invitation.');
  await expect(page).toHaveURL(/\/sign-up$/);
  await page.reload();
  const email = newEmail();
  await fillSignUp(page, email);
  await signUpButton(page).click();
  await expect(toast(page, 'Your account is ready.')).toBeVisible();
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await expect(page.getByRole('main')).toContainText('House accepts every file type.');
  await expect(page.getByText('Unlimited')).toHaveCount(3);
  await page.goto('/dashboard/plan-info');
  await expect(page.getByText('of unlimited space')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Manage Plan' })).toBeHidden();
});

test('an invitation that is opened where Sign Up is open already survives a reload too', async ({ page, site }) => {
  await page.goto('/sign-up');
  await expect(page.getByRole('main')).toContainText('You need an invitation to sign up on this site.');
  await page.goto(invite(site, { verifies: 1 }));
  await expect(form(page)).toBeVisible();
  await expect(page).toHaveURL(/\/sign-up$/);
  await page.reload();
  await fillSignUp(page, newEmail());
  await signUpButton(page).click();
  await expect(toast(page, 'Your account is ready.')).toBeVisible();
});

test('a site with approvals says so, and so does the code', async ({ page }) => {
  await using approving = await startSite({ SIGN_UP: 'approval' });
  await page.goto(`${approving.url}/sign-up`);
  await expect(page.getByRole('main')).toContainText('The operator of this site approves each new account.');
  const email = newEmail();
  await fillSignUp(page, email);
  await signUpButton(page).click();
  await expect(pageHeading(page)).toHaveText('Verify Email');
  await codeField(page).fill(await approving.newestCodeFor(email));
  const words = 'Your address is confirmed. You can sign in as soon as the operator has approved your account.';
  await expect(toast(page, words)).toBeVisible();
  await expect(pageHeading(page)).toHaveText('Sign In');
});

test('a closed site says so', async ({ page }) => {
  await using closed = await startSite({ SIGN_UP: 'closed' });
  await page.goto(`${closed.url}/sign-up`);
  await expect(page.getByRole('main')).toContainText('This site accepts no new accounts.');
  await expect(form(page)).toBeHidden();
  await page.goto('about:blank');
  await page.goto(`${closed.url}/sign-up#invitation=kelp`);
  await expect(page.getByRole('main')).toContainText("Only the link for its owner's first account works here.");
  await fillSignUp(page, newEmail());
  await signUpButton(page).click();
  await expect(errorBox(page)).toContainText('This invitation is no longer valid.');
});
