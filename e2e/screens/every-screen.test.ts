/** Every page, as a phone shows it, in the light theme. The sweeps repeat this for all widths and both themes. */
import type { Page } from '@playwright/test';
import { brokenRules, overflow } from '../harness/axe.ts';
import { pageHeading } from '../harness/screen.ts';
import { type Screen, screens, visit } from '../harness/screens.ts';
import { expect, test } from '../harness/sound-page.ts';

async function expectAccessible(page: Page, shown: readonly Screen[], problems: readonly string[]) {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 900 });
  for (const screen of shown) {
    await visit(page, screen);
    await expect(page).toHaveTitle(`${screen.tab ?? screen.heading} · Holdfast`);
    await expect(pageHeading(page)).toHaveCount(1);
    expect(await brokenRules(page), screen.path).toEqual([]);
    await expect.poll(() => overflow(page), screen.path).toBe(0);
  }
  expect(problems).toEqual([]);
}

test('every page that a visitor sees passes axe and fits a phone', async ({ page, problems }) => {
  test.slow();
  await expectAccessible(
    page,
    screens.filter(({ only }) => only !== 'owner'),
    problems,
  );
});

test('every page of the dashboard passes axe and fits a phone', async ({ ownersPage, problems }) => {
  test.slow();
  await expectAccessible(
    ownersPage,
    screens.filter(({ only }) => only === 'owner'),
    problems,
  );
});
