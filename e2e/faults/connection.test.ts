import { holdBack } from '../harness/hold-back.ts';
import { checkingSession, pageHeading } from '../harness/screen.ts';
import { spoilCall } from '../harness/spoil-call.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

const offline = 'You are offline. You may be seeing old data.';
const accountCall = '**/get-account-info';

test('while the browser is offline a notice is shown, and the data is refreshed when it is back', async ({
  page,
  context,
  person,
  site,
}) => {
  await page.goto('/dashboard/file-management');
  await expect(page.getByText('No files yet')).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByRole('status').getByText(offline)).toBeVisible();
  await uploadByKey(site, person, 'kelp.txt');
  await context.setOffline(false);
  await expect(page.getByText('kelp.txt').first()).toBeVisible();
  await expect(page.getByText(offline)).toBeHidden();
});

test('a session check without a response shows a note about the retry after three seconds', async ({
  signedInPage: page,
}) => {
  await stopClock(page);
  const account = await spoilCall(page, accountCall, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.goto('/dashboard');
  await expect(checkingSession(page)).toBeVisible();
  await failed;
  await page.clock.runFor(1500);
  const note = page.getByText('No response from server. Please check your connection. Trying again...');
  await expect(note).toBeHidden();
  await page.clock.runFor(1500);
  await expect(note).toBeVisible();
  await expect(checkingSession(page)).toBeVisible();
  account.mend();
  await page.clock.runFor(4000);
  await page.clock.resume();
  await expect(pageHeading(page)).toHaveText('Upload Files');
});

test('a document whose scripts are still loading shows a note after three seconds', async ({ signedInPage: page }) => {
  const loading = await holdBack(page, '**/assets/*.js');
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expect(checkingSession(page)).toBeVisible();
  const note = page.getByText('This is taking longer than usual.');
  await expect(note).toBeHidden();
  expect(await note.evaluate(startOfAnimation)).toBe(3000);
  await note.evaluate((text) => text.getAnimations().forEach((late) => late.finish()));
  await expect(note).toBeVisible();
  loading.letGo(100);
  await expect(pageHeading(page)).toHaveText('Upload Files');
});

const startOfAnimation = (element: Element) => element.getAnimations()[0]?.effect?.getTiming().delay;
