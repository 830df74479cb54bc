import { newPassword } from '../harness/credentials.ts';
import { toast } from '../harness/screen.ts';
import { submitPasswordChange } from '../harness/security-screen.ts';
import { expect, goodPassword, test } from '../harness/test.ts';

for (const { name, box, kept } of [
  { name: 'replaces the API key', box: true, kept: false },
  { name: 'keeps the API key if its box is off', box: false, kept: true },
])
  test(`a password change ${name}`, async ({ page, person }) => {
    await page.goto('/dashboard/security');
    const alsoKey = page.getByRole('checkbox', { name: 'Also change my API key' });
    await expect(alsoKey).toBeChecked();
    await alsoKey.setChecked(box);
    await submitPasswordChange(page, goodPassword, newPassword);
    await expect(toast(page, 'Password updated successfully')).toBeVisible();
    await expect(alsoKey).toBeChecked();
    const { status } = await fetch(new URL('/api/v3/rest/get-account-info', page.url()), {
      headers: { 'X-API-Key': person.apiKey },
    });
    expect(status).toBe(kept ? 200 : 401);
    await page.goto('/dashboard/account-info');
    const copy = page.getByRole('button', { name: 'Copy API key' });
    await copy.hover();
    await expect(copy.getByText(person.apiKey)).toBeVisible({ visible: kept });
  });
