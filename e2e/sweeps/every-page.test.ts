/** Every page at a desk in the dark theme. `screens/every-screen.test.ts` has the phone and the light theme. */
import { pageHeading } from '../harness/screen.ts';
import { type Screen, screens, visit } from '../harness/screens.ts';
import { expect, expectAccessibleAtWidths, test } from '../harness/healthy-page.ts';
import type { Page } from '@playwright/test';

async function expectAccessible(page: Page, shown: readonly Screen[], problems: readonly string[]) {
  test.slow();
  for (const screen of shown) {
    await visit(page, screen);
    await expect(pageHeading(page)).toHaveCount(1);
    await expectAccessibleAtWidths(page, problems, [1440], ['dark']);
  }
}

test('every page that a guest sees is accessible and without overflow', ({ page, problems }) =>
  expectAccessible(
    page,
    screens.filter(({ only }) => only === 'guests'),
    problems,
  ));

test('every page that a signed-in user sees is accessible and without overflow', ({ ownersPage, problems }) =>
  expectAccessible(
    ownersPage,
    screens.filter(({ only }) => only !== 'guests'),
    problems,
  ));
