import { expect, test } from '../harness/test.ts';
import { usagePath } from '../harness/usage-screen.ts';

test('the note also appears if only the slots are exceeded', async ({ page, person, site }) => {
  site.fill(person.email, { bytes: 20, files: 501 });
  await page.goto(usagePath);
  await expect(page.getByText('Your files exceed your plan. They are all kept')).toBeVisible();
});
