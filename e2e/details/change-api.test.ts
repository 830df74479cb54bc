import { changeKeyCall, generateKey, newKeyCode } from '../harness/change-api-screen.ts';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test('returning to the page asks for confirmation again', async ({ page, person }) => {
  await page.goto('/dashboard/change-api');
  await generateKey(page).click();
  await expect(newKeyCode(page)).not.toHaveText(person.apiKey);
  await page.getByRole('main').getByRole('link', { name: 'Account Info' }).click();
  await expect(pageHeading(page)).toHaveText('Account Info');
  await page.goBack();
  await expect(generateKey(page)).toBeVisible();
  await expect(newKeyCode(page)).toBeHidden();
});

for (const { what, answer, words } of [
  {
    what: "the server's error message is shown",
    answer: { status: 503, json: { success: false, error: { code: 'UNAVAILABLE', message: 'Not today.' } } },
    words: ['Not today.', 'Not today. Please try again.'],
  },
  {
    what: 'a default message is shown for a response without a message',
    answer: { status: 502, body: 'Bad gateway' },
    words: ['Failed to change API key', 'Failed to change API key. Please try again.'],
  },
]) {
  test(`${what} in a toast and under the button`, async ({ signedInPage: page }) => {
    await page.route(changeKeyCall, (route) => route.fulfill(answer));
    await page.goto('/dashboard/change-api');
    await generateKey(page).click();
    await expect(toast(page, words[0] ?? '')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText(words[1] ?? '');
    await expect(generateKey(page)).toBeEnabled();
    await page.unroute(changeKeyCall);
    await holdBack(page, changeKeyCall);
    await generateKey(page).click();
    await expect(page.getByRole('alert')).toBeHidden();
  });
}
