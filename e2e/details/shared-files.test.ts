import type { Page } from '@playwright/test';
import { signIn } from '../harness/sign-in.ts';
import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { link, openQueue, row, start } from '../harness/upload-queue.ts';

/** Opens the upload page, and waits until its worker is ready. */
async function openOnce(page: Page): Promise<void> {
  await openQueue(page);
  const isReady = () =>
    page.evaluate(async () => {
      const all = await navigator.serviceWorker.getRegistrations();
      return all.map(({ scope, active }) => `${new URL(scope).pathname} ${active?.state}`);
    });
  await expect.poll(isReady).toEqual(['/share activated']);
}

/** Sends the request by which a browser passes on what another app shares, as the manifest says. */
async function share(page: Page, ...names: readonly string[]): Promise<void> {
  await page.evaluate(async (fileNames) => {
    const { share_target: target } = await (await fetch('/site.webmanifest')).json();
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true });
    input.name = target.params.files[0].name;
    const carried = new DataTransfer();
    for (const name of fileNames) carried.items.add(new File([`I am ${name}`], name));
    input.files = carried.files;
    const { action, method, enctype } = target;
    const form = Object.assign(document.createElement('form'), { action, method, enctype });
    form.append(input);
    document.body.append(form);
    form.submit();
  }, names);
}

const nothing = 'The shared files did not arrive. Share them again.';

const kept = (page: Page) => page.evaluate(() => caches.keys());

test('files shared from another app wait in the queue, and what the plan refuses says so', async ({
  signedInPage: page,
}) => {
  await openOnce(page);
  await share(page, 'kelp.jpg', 'kelp.heic');
  await expect(row(page, 'kelp.heic')).toContainText('The Free plan does not accept .heic files.');
  await expect(page).toHaveURL('/dashboard');
  expect(await kept(page)).toEqual([]);
  await start(page).click();
  const stored = await page.request.get((await link(page, 'kelp.jpg').getAttribute('href')) ?? '');
  expect(await stored.text()).toBe('I am kelp.jpg');
});

test('files that somebody shares signed out wait for the sign-in', async ({ ownPage: page, person }) => {
  await openOnce(page);
  await page.context().clearCookies();
  await page.goto('/');
  await share(page, 'kelp.jpg');
  await signIn(page, person);
  await expect(row(page, 'kelp.jpg')).toContainText('13.00 B');
  await expect(page).toHaveURL('/dashboard');
});

test('files that waited longer than an hour are deleted', async ({ signedInPage: page }) => {
  await page.goto('/faqs');
  await page.evaluate(async () => {
    const form = new FormData();
    form.append('files', new File(['old'], 'old.jpg'));
    const date = new Date(Date.now() - 3_700_000).toUTCString();
    const answer = new Response(form, { headers: { Date: date } });
    await (await caches.open('shared')).put('/share', answer);
  });
  await page.goto('/dashboard?shared');
  await expect(toast(page, nothing)).toBeVisible();
  expect(await kept(page)).toEqual([]);
});

test('without the worker the page says that nothing arrived', async ({ signedInPage: page }) => {
  await page.goto('/faqs');
  await share(page, 'kelp.jpg');
  await expect(toast(page, nothing)).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
});
