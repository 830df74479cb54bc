/** Every page, as a phone shows it, in the light theme. The sweeps have a desk and the dark theme. */
import type { Page } from '@playwright/test';
import { brokenRules, overflow } from '../harness/axe.ts';
import { pageHeading } from '../harness/screen.ts';
import { type Screen, screens, visit } from '../harness/screens.ts';
import { expect, test } from '../harness/healthy-page.ts';

async function expectAccessible(page: Page, shown: readonly Screen[], problems: readonly string[]) {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 900 });
  for (const [index, screen] of shown.entries()) {
    if (index === 0) await visit(page, screen);
    // As a link does, without another load of the app.
    else await page.evaluate((path) => history.pushState(null, '', path), screen.path);
    await expect(page).toHaveTitle(`${screen.tab ?? screen.heading} · Holdfast`);
    await expect(pageHeading(page)).toHaveText([screen.heading]);
    await screen.ready?.(page);
    expect(await brokenRules(page), screen.path).toEqual([]);
    await expect.poll(() => overflow(page), screen.path).toBe(0);
  }
  expect(problems).toEqual([]);
}

test('every page that a visitor sees passes axe and fits a phone', ({ page, problems }) =>
  expectAccessible(
    page,
    screens.filter(({ only }) => only !== 'owner'),
    problems,
  ));

test('every page of the dashboard passes axe and fits a phone', ({ ownersPage, problems }) =>
  expectAccessible(
    ownersPage,
    screens.filter(({ only }) => only === 'owner'),
    problems,
  ));
