import { expect, test } from '../harness/test.ts';
import { codeField } from '../harness/verify-code-screen.ts';

test('a code is extracted from pasted text', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/verify-code');
  await page.evaluate(() => navigator.clipboard.writeText('Your code: 314 159'));
  await codeField(page).press('ControlOrMeta+v');
  await expect(codeField(page)).toHaveValue('314159');
});
