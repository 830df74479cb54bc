import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test('only the owner of a new server loads the list of first steps', async ({ signedInPage: page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'browse files' })).toBeVisible();
  await page.getByRole('link', { name: 'Account Info' }).click();
  await page.getByRole('button', { name: 'Copy API key' }).click();
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  expect(asked.filter((url) => /\/FirstSteps-|-first-steps$/.test(url))).toEqual([]);
});
