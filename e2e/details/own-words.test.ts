/** A site whose operator wrote its claims, policies and plans. */
import type { Page } from '@playwright/test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { policyContents, policySection } from '../harness/policy-screen.ts';
import { pageHeading } from '../harness/screen.ts';
import { type Site, startSite } from '../harness/site.ts';
import { expect, test as base } from '../harness/test.ts';

const claims = {
  title: 'Charts of Portree',
  lead: 'For members: upload, link, sail.',
  home: ['The club keeps its charts here.'],
  about: ['Two members run this site.'],
  figures: [['1987', 'the club is founded']],
};

const terms = `# Rules of the club

Last changed on 1 May 2026.

## Who may sail

Members, and *their* guests. See [the rules of the sea](https://example.com/sea) and [privacy](/privacy-policy).

1. Wear a vest.
2. Tell the harbor.

| Boat | Crew |
| ---- | ---- |
| Skye | 4    |

## Who may not

\`<script>document.title = 'broken'</script>\`
`;

const plans = {
  free: { name: 'Guest', space_quota: '2.5 GB', max_file_download_speed: 'unlimited', allowed_extensions: 'any' },
  power: { name: 'Crew', space_quota: 'unlimited' },
};

const test = base.extend({
  site: async ({ keeper }, use) => use(await keeper.run('site', startOwn)),
});

async function startOwn(own: AsyncDisposableStack): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-own-words-'));
  own.defer(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'site.json'), JSON.stringify(claims));
  await writeFile(join(folder, 'terms.md'), terms);
  await writeFile(join(folder, 'dmca.md'), 'Write to the harbor.');
  await writeFile(join(folder, 'plans.json'), JSON.stringify(plans));
  const settings = {
    SITE_CLAIMS: join(folder, 'site.json'),
    POLICIES_DIR: folder,
    PLANS_FILE: join(folder, 'plans.json'),
  };
  return own.use(await startSite(settings));
}

const main = (page: Page) => page.getByRole('main');

test("the home page and About Us have the operator's words in place of the standard claims", async ({ page }) => {
  await page.goto('/');
  await expect(pageHeading(page)).toHaveText('Charts of Portree');
  await expect(main(page)).toContainText('For members: upload, link, sail.');
  await expect(page.getByRole('region', { name: 'Made to stay put' })).toHaveText(/The club keeps its charts here\.$/);
  await expect(main(page)).not.toContainText('2015');
  await page.goto('/about-us');
  await expect(page.getByRole('region', { name: 'What it is for' })).toContainText('the club is founded1987');
  await expect(page.getByRole('region', { name: 'What it is for' })).toContainText('Two members run this site.');
  await expect(main(page)).not.toContainText(/2015|2021|million|aged 16/);
});

test('a policy of the operator has its sections, and nothing in it runs', async ({ page }) => {
  await page.goto('/terms-of-service#who-may-not');
  await expect(page).toHaveTitle('Rules of the club · Holdfast');
  await expect(pageHeading(page)).toHaveText('Rules of the club');
  await expect(policySection(page, 'Who may not')).toBeFocused();
  await expect(policySection(page, 'Who may not')).toContainText("<script>document.title = 'broken'</script>");
  await expect(policyContents(page).getByRole('link')).toHaveText(['Who may sail', 'Who may not']);
  await expect(main(page)).toContainText('Last changed on 1 May 2026.');
  await expect(main(page)).not.toContainText('August 28, 2025');
  const sail = policySection(page, 'Who may sail');
  await expect(sail.getByRole('link', { name: 'the rules of the sea' })).toHaveAttribute('rel', 'noreferrer');
  await expect(sail.getByRole('listitem')).toHaveText(['Wear a vest.', 'Tell the harbor.']);
  await expect(sail.getByRole('row')).toHaveText(['BoatCrew', 'Skye4']);
  await expectNoAxeFindings(page);
});

test('with terms of its own a site does not state the rules of the standard terms', async ({ page }) => {
  await page.goto('/faqs');
  for (const id of ['age', 'one-account', 'sharing-an-account', 'refunds'])
    await expect(page.locator(`#${id}`)).toHaveCount(0);
  await expect(page.locator('#password')).toHaveCount(1);
});

test('all pages name the plans as the operator does, with the limits in force', async ({ page }) => {
  await page.goto('/');
  await page.goto('/faqs');
  await page.getByRole('button', { name: 'Open all answers' }).click();
  await expect(page.locator('#plans')).toContainText('The plans are Guest, Starter, Basic, Advanced and Crew;');
  await expect(page.locator('#speed')).toContainText('unlimited on Guest, 20 Mbps on Starter,');
  await expect(page.locator('#formats')).toContainText('Every plan accepts every file type.');
  await expect(page.locator('#limits').getByRole('row').nth(1)).toHaveText('Guest100 MB2.5 GB500Unlimited');
  await expect(page.locator('#limits').getByRole('row').last()).toHaveText('Crew5 GBUnlimited100,000Unlimited');
  await expect(main(page)).not.toContainText(/\bFree\b|\bPower\b/);
  await page.goto('/plan-pricing');
  await expect(main(page)).toContainText('Paid plans add space.');
  await expect(main(page)).toContainText('After that, the limits of Guest apply until you pay.');
  await expect(main(page)).not.toContainText(/\bFree\b|\bPower\b|file types that/);
});
