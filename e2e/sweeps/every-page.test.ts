import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { screens, visit } from '../harness/screens.ts';
import { expect, expectAccessibleAtWidths, test } from '../harness/sound-page.ts';

for (const screen of screens) {
  const title = `${screen.path} is accessible and without overflow at every width, light and dark, signed`;
  const body = async (page: Page, problems: readonly string[]) => {
    test.slow(screen.path === '/api-docs', 'the longest page, and six times the whole of axe');
    await visit(page, screen);
    await expect(page).toHaveTitle(`${screen.tab ?? screen.heading} · Holdfast`);
    await expect(pageHeading(page)).toHaveCount(1);
    await expectAccessibleAtWidths(page, problems, [1440, 768, 390]);
  };
  if (screen.only !== 'owner') test(`${title} out`, ({ page, problems }) => body(page, problems));
  if (screen.only !== 'guests')
    test(`${title} in`, async ({ ownersPage, problems }) => {
      await body(ownersPage, problems);
      await expect(ownersPage.getByRole('link', { name: 'Sign In' })).toBeHidden();
    });
}
