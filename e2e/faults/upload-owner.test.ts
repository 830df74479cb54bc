/** The owner of uploaded files when another user signs in meanwhile in another tab. */
import type { Page } from '@playwright/test';
import { holdBack, holdBackAnswers } from '../harness/hold-back.ts';
import { listCall } from '../harness/library.ts';
import { toast } from '../harness/screen.ts';
import { tellOfAnotherSession } from '../harness/second-tab.ts';
import { signIn } from '../harness/sign-in.ts';
import { storedNames } from '../harness/stored-files.ts';
import { expect, signUpAndIn, signUpOnce, test } from '../harness/test.ts';
import { choose, openQueue, start, tray } from '../harness/upload-queue.ts';

const accountCall = '**/get-account-info';
const menu = (page: Page) => page.getByRole('button', { name: 'Account menu' });

test('files are never uploaded to the next account that signs in in another tab', async ({
  page,
  context,
  browser,
  person,
  site,
}) => {
  const next = await signUpOnce(site, browser);
  await openQueue(page);
  const answers = await holdBackAnswers(page, '*/api/v3/upload');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/upload')) sent.push(request.headers()['holdfast-account'] ?? 'nobody');
  });
  await choose(page, 'private-1.txt', 'private-2.txt', 'private-3.txt');
  await start(page).click();
  await page.getByRole('link', { name: 'File Management' }).click();
  await expect.poll(() => storedNames(site, person)).toEqual(['private-1.txt', 'private-2.txt']);
  // This tab notices late what the other one does, and its later requests take even longer.
  const account = await holdBack(page, accountCall);
  const list = await holdBack(page, listCall);
  const other = await context.newPage();
  await other.goto('/dashboard/account-info');
  await menu(other).click();
  await other.getByRole('button', { name: 'Logout' }).click();
  // Leaving earlier would cancel the logout.
  await expect(toast(other, 'You have been logged out!')).toBeVisible();
  await other.goto('/sign-in');
  await signIn(other, next.person);
  await expect(menu(other)).toBeVisible();
  const known = page.waitForResponse(accountCall);
  account.letGo(20);
  await known;
  answers.letGo(3);
  list.letGo(20);
  await expect(page.getByRole('banner')).toContainText(next.person.email);
  await expect(tray(page)).toBeHidden();
  expect(new Set(sent)).toEqual(new Set([person.email]));
  expect(await storedNames(site, next.person)).toEqual([]);
});

test('files that are still being read when another account signs in are not added to its queue', async ({
  page,
  context,
  person,
  signedOnce,
}) => {
  await openQueue(page);
  await expect(page.getByRole('banner')).toContainText(person.email);
  // Reading the sizes of many files pauses occasionally. Here a pause lasts until the test ends it.
  await page.evaluate(() => {
    const real = window.setTimeout.bind(window);
    const pauses: (() => void)[] = [];
    const timed = (go: () => void, ms?: number, ...rest: unknown[]) =>
      ms === undefined ? pauses.push(go) : real(go, ms, ...rest);
    const goOn = () => {
      Object.assign(window, { setTimeout: real });
      for (const go of pauses) go();
    };
    Object.assign(window, { setTimeout: timed, goOn });
  });
  await choose(page, ...Array.from({ length: 60 }, (_, index) => `private-${index}.txt`));
  await context.clearCookies();
  await context.addCookies([...signedOnce.cookies]);
  await tellOfAnotherSession(page);
  await expect(page.getByRole('banner')).toContainText(signedOnce.person.email);
  await page.evaluate(() => (window as unknown as { goOn(): void }).goOn());
  const words = 'The files were not added: another account is now signed in in this browser.';
  await expect(toast(page, words)).toBeVisible();
  await expect(page.getByText('No files selected for upload')).toBeVisible();
});

test('a question about the queue is not left for the next account', async ({ page, person, context, site }) => {
  await openQueue(page);
  await choose(page, 'a.txt');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  const question = page.getByRole('dialog', { name: 'Log out and stop the uploads?' });
  await expect(question).toBeVisible();
  const next = await signUpAndIn(site, context);
  await tellOfAnotherSession(page);
  await expect(page.getByText(`Welcome back ${next.email}`), person.email).toBeVisible();
  await expect(question).toBeHidden();
  await expect(page.getByText('No files selected for upload')).toBeVisible();
});
