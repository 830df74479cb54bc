/** Uploads go on while the password is confirmed, which gives the session a new token. */
import type { Page } from '@playwright/test';
import { expect, test, uploadPath } from '../harness/behind-relay.ts';
import { generateKey, newKeyCode } from '../harness/change-api-screen.ts';
import { goodPassword } from '../harness/test.ts';
import type { Fault } from '../harness/relay.ts';
import { storedNames } from '../harness/stored-files.ts';
import { choose, openQueue, start, tray } from '../harness/upload-queue.ts';

test.setTimeout(180_000);

const confirmPath = '/api/v3/session/confirm-password';
const names = Array.from({ length: 120 }, (_, at) => `small-${at}.txt`);

async function openChangeApi(page: Page): Promise<void> {
  const sidebar = page.getByRole('navigation', { name: 'Dashboard' });
  await sidebar.getByRole('button', { name: 'Settings' }).click();
  await sidebar.getByRole('link', { name: 'Change API' }).click();
  await expect(generateKey(page)).toBeVisible();
}

async function confirmPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
  await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
  await dialog.getByLabel('Password', { exact: true }).press('Enter');
}

test('120 files arrive while the password is confirmed on a long line and the API key is changed', async ({
  page,
  person,
  relay,
  site,
}) => {
  await openQueue(page);
  await choose(page, ...names);
  await start(page).click();
  await openChangeApi(page);
  using database = site.openDatabase();
  database.prepare('UPDATE sessions SET confirmed_at = 0').run();
  const [uploadArrives, confirmationArrives] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const once = (fault: Fault) => [fault][Symbol.iterator]();
  const [late, answer] = [
    once({ kind: 'late request', until: uploadArrives.promise }),
    once({ kind: 'late response', until: confirmationArrives.promise }),
  ];

  // The server renews the token; the upload that is under way arrives after that, and others before the browser knows.
  const sent = relay.requestsTo(uploadPath);
  relay.spoil(uploadPath, () => late.next().value);
  await expect.poll(() => relay.requestsTo(uploadPath)).toBeGreaterThan(sent);
  relay.spoil(confirmPath, () => answer.next().value);
  await generateKey(page).click();
  await confirmPassword(page);
  const renewed = database.prepare('SELECT count(*) AS count FROM sessions WHERE confirmed_at > 0');
  await expect.poll(() => renewed.get()?.['count']).toBe(1);
  uploadArrives.resolve();
  await expect.poll(() => relay.requestsTo(uploadPath)).toBeGreaterThan(sent + 5);
  confirmationArrives.resolve();

  await expect(newKeyCode(page)).toHaveText(/^hf_\w{46}$/);
  const key = (await newKeyCode(page).textContent()) ?? '';
  await expect(tray(page)).toContainText('120 uploaded', { timeout: 120_000 });
  expect((await storedNames(site, { ...person, apiKey: key })).toSorted()).toEqual(names.toSorted());
  await expect(newKeyCode(page)).toHaveText(key);
});
