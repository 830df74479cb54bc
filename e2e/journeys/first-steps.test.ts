import { freePort } from '@holdfast/test-support/free-ports.ts';
import type { Locator, Page } from '@playwright/test';
import { startMailServer } from '../../server/test/harness/mail-server.ts';
import { brokenRules, overflow } from '../harness/axe.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { fillSignUp, signUpButton } from '../harness/sign-up-screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, newEmail, test } from '../harness/test.ts';
import { choose, start } from '../harness/upload-queue.ts';

const card = (page: Page): Locator => page.getByRole('region', { name: 'First steps' });
const step = (page: Page, text: string): Locator => card(page).locator('summary', { hasText: text });

test('the first owner follows the link, does the first steps, and closes the list', async ({ page }) => {
  await using mail = await startMailServer();
  const port = await freePort();
  await using site = await startSite({
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
    SIGN_UP: 'invite',
  });
  const email = newEmail();
  await page.goto(await site.ownerLink);
  await fillSignUp(page, email);
  await signUpButton(page).click();
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await expect(card(page)).toContainText('2 of 6 done');
  await expect(step(page, 'You chose who may sign up')).toContainText('Done: ');

  await page.setViewportSize({ width: 390, height: 900 });
  await step(page, 'Make a backup').focus();
  await page.keyboard.press('Enter');
  await expect(card(page).getByText('./holdfast backup /backup', { exact: true })).toBeVisible();
  await expect(card(page).getByText('More in docs/installation.md, under “Backup”.')).toBeVisible();
  await mail.stop();
  const send = card(page).getByRole('button', { name: 'Send a test email' });
  await send.click();
  await expect(card(page).getByRole('alert')).toHaveText(/ECONNREFUSED.*Look at MAIL_URL\.$/);
  expect(await brokenRules(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await mail.start();
  await send.click();
  await expect(toast(page, `The mail server accepted an email to ${email}.`)).toBeVisible();
  await expect(step(page, 'The mail server accepts emails')).toBeFocused();

  await choose(page, 'tide.txt');
  await start(page).click();
  await expect(card(page)).toContainText('4 of 6 done');
  await card(page).getByRole('link', { name: 'Account Info' }).click();
  await page.getByRole('button', { name: 'Copy API key' }).click();
  await page.goBack();
  await expect(step(page, 'You copied your API key')).toBeVisible();

  // The operator has made a backup in another window, and comes back to this one.
  {
    using database = site.openDatabase();
    database.exec("INSERT INTO service_facts (name, value, at) VALUES ('folder of the backups', '/backup', 1)");
  }
  await expect(async () => {
    // Ignored while the list that the way back loads is still on its way.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await expect(card(page)).toContainText('All of them are done.', { timeout: 2_000 });
  }).toPass();
  await card(page).getByRole('button', { name: 'Close the first steps' }).click();
  await expect(card(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'browse files' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('button', { name: 'browse files' })).toBeVisible();
  await expect(card(page)).toBeHidden();
});
