import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

const question = (page: Page, id: string) => page.locator(`#${id} > summary`);
const answer = (page: Page, id: string) => page.locator(`#${id} > summary + div`);

/** The facts that each answer must state. */
const facts = {
  limits: ['100 MB', '500 MB', '400 MB', '2 GB', '10 GB', '5 GB', '25 GB', '4 Mbps', '250 Mbps', 'Unlimited'],
  formats: ['pdf rtf odt ods zip', 'mcpack mcaddon mcmeta', 'paid plan, any'],
  unchanged: ['no compression', 'no watermarking', 'no ads'],
  'how-long': ['Indefinitely', 'you delete', 'account is deleted', 'illegal', 'malware', 'Continuous', 'over a year'],
  deleting: ['within 7 days', 'up to one year'],
  inactivity: ['12 months', 'including favorites', '30 and 7 days before'],
  'continuous-uploading': ['oldest files', 'never favorites', 'which files would be deleted'],
  activity: ['Usage', '12 months', 'with the reason'],
  'failed-payment': ['7 days', 'limits of the Free plan', 'Your files stay'],
  mirrors: ['same files under the same path', 'Default Link Domain'],
  plans: ['More space', 'faster downloads', 'Free, Starter, Basic, Advanced and Power'],
  speed: ['4 Mbps (500 KB/s)', 'without notice'],
  age: ['16 or older'],
  'one-account': ['one account per person'],
  'sharing-an-account': ['not supported', 'responsible for all activity'],
  'api-cost': ['free on every plan'],
  'api-key': ['Account Info', 'X-API-Key', 'the old key stops working'],
  'rate-limit': ['4 per second', '429'],
  malware: ['not tolerated'],
} as const;

test('the answers state the facts', async ({ page }) => {
  await page.goto('/faqs');
  // A closed answer is in the page, so that a text search can open it, and print shows it.
  await expect(answer(page, 'formats')).toContainText('mcaddon');
  await expect(answer(page, 'formats')).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  const height = () => answer(page, 'formats').evaluate((text) => text.getBoundingClientRect().height);
  expect(await height()).toBeGreaterThan(40);
  await expect(page.getByRole('button', { name: 'Open all answers' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('button', { name: 'Open all answers' }).click();
  for (const [id, texts] of Object.entries(facts)) {
    await expect(answer(page, id)).toBeVisible();
    const shown = await answer(page, id).innerText();
    for (const text of texts) expect(shown).toContain(text);
  }
  await page.getByRole('button', { name: 'Close all answers' }).click();
  await expect(answer(page, 'age')).toBeHidden();
});

test(
  'an answer opens by key, by click and by a link to it, and its anchor is in the URL',
  { tag: '@detail' },
  async ({ page }) => {
    await page.goto('/faqs#rate-limit');
    await expect(answer(page, 'rate-limit')).toBeInViewport();
    await expect(question(page, 'rate-limit')).toBeFocused();
    await expect(answer(page, 'mirrors')).toBeHidden();

    await question(page, 'mirrors').press('Enter');
    await expect(answer(page, 'mirrors')).toBeVisible();
    await expect(page).toHaveURL(/\/faqs#mirrors$/);
    await expect(question(page, 'mirrors')).toBeFocused();
    await question(page, 'mirrors').press('Space');
    await expect(answer(page, 'mirrors')).toBeHidden();

    await question(page, 'malware').click();
    await expect(page).toHaveURL(/#malware$/);
    const before = await question(page, 'report').boundingBox();
    await question(page, 'report').click();
    await expect(page).toHaveURL(/#report$/);
    await expect(answer(page, 'report')).toBeVisible();
    await expect(answer(page, 'malware')).toBeVisible();
    // The second answer does not move its own question.
    expect((await question(page, 'report').boundingBox())?.y).toBe(before?.y);

    await page.goto('/terms-of-service');
    await page.getByRole('link', { name: 'the limits are in the FAQs' }).click();
    await expect(pageHeading(page)).toHaveText('Frequently asked questions');
    await expect(answer(page, 'limits')).toBeInViewport();
  },
);

test('a search leaves the questions that contain all its words', { tag: '@detail' }, async ({ page }) => {
  await page.goto('/faqs');
  await expect(answer(page, 'what-is-it')).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search the questions' });
  await search.fill('Refund unused');
  await expect(page.getByText('1 found')).toBeVisible();
  await expect(question(page, 'refunds')).toBeVisible();
  await expect(question(page, 'plans')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeHidden();
  await search.fill('zebra');
  await expect(page.getByText('No question has these words.')).toBeVisible();
  await search.press('Escape');
  await expect(question(page, 'plans')).toBeVisible();
});
