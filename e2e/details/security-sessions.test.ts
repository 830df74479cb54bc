import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { firefoxAgent, sessionItems, signInElsewhere } from '../harness/security-screen.ts';
import { expect, test } from '../harness/test.ts';

const sessionsCall = '**/api/v3/session/get-sessions';
const revokeOthers = (page: Page) => page.getByRole('button', { name: 'Revoke all others' });
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

test('a single session or all other sessions can be revoked', async ({ page, person, browser, baseURL }) => {
  const onFirefox = await signInElsewhere(browser, baseURL, person, firefoxAgent);
  const onPhone = await signInElsewhere(browser, baseURL, person, iPhone);
  const again = await signInElsewhere(browser, baseURL, person, iPhone);
  await page.goto('/dashboard/security');
  await expect(sessionItems(page)).toHaveCount(4);
  const here = sessionItems(page).filter({ hasText: 'This browser' });
  await expect(here).toHaveCount(1);
  await expect(here.getByRole('button')).toHaveCount(0);
  await expect(here).toContainText(/10\.\d+\.\d+\.\d+/);
  await expect(here).toContainText('seen just now');

  await page.getByRole('button', { name: /^Revoke .*Firefox/ }).click();
  await expect(toast(page, 'Session revoked')).toBeVisible();
  await expect(sessionItems(page)).toHaveCount(3);
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeFocused();
  await onFirefox.reload();
  await expect(pageHeading(onFirefox)).toHaveText('Sign In');
  await onPhone.reload();
  await expect(pageHeading(onPhone)).toHaveText('Upload Files');

  await revokeOthers(page).click();
  await expect(toast(page, '2 sessions revoked')).toBeVisible();
  await expect(sessionItems(page)).toHaveCount(1);
  await expect(revokeOthers(page)).toBeHidden();
  await onPhone.reload();
  await expect(pageHeading(onPhone)).toHaveText('Sign In');
  await page.reload();
  await expect(pageHeading(page)).toHaveText('Security');
  for (const other of [onFirefox, onPhone, again]) await other.context().close();
});

test('a session without a known IP address shows no placeholder', async ({ signedInPage: page }) => {
  await page.route(sessionsCall, async (route) => {
    const answer = (await (await route.fetch()).text()).replace(/"address":"[^"]*"/g, '"address":""');
    await route.fulfill({ body: answer });
  });
  await page.goto('/dashboard/security');
  // Matches the whole text: no placeholder takes the place of the address.
  await expect(sessionItems(page).first()).toHaveText(
    /This browserseen just nowsigned in (just now|\d+ minutes? ago)$/,
  );
});

test('a failed revocation shows a toast and keeps the session in the list', async ({
  page,
  person,
  browser,
  baseURL,
}) => {
  const elsewhere = await signInElsewhere(browser, baseURL, person, firefoxAgent);
  await page.route('**/api/v3/session/end-sessions', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.goto('/dashboard/security');
  await page.getByRole('button', { name: /^Revoke .*Firefox/ }).click();
  await expect(toast(page, 'Failed to revoke the session')).toBeVisible();
  await expect(sessionItems(page)).toHaveCount(2);
  await elsewhere.context().close();
});

test('sessions that fail to load show the reason, and Try again loads them', async ({ signedInPage: page }) => {
  const refusal = { success: false, error: { code: 'INVALID_INPUT', message: 'Not today.' } };
  await page.route(sessionsCall, (route) => route.fulfill({ status: 400, json: refusal }), { times: 1 });
  await page.goto('/dashboard/security');
  await expect(errorBox(page)).toContainText('The sessions could not be loaded');
  await expect(errorBox(page)).toContainText('Not today.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(sessionItems(page).filter({ hasText: 'This browser' })).toHaveCount(1);
  await expect(errorBox(page)).toBeHidden();
});

test('a loading message is present until the sessions have loaded', async ({ signedInPage: page }) => {
  const loading = await holdBack(page, sessionsCall);
  await page.goto('/dashboard/security');
  await expect(page.getByText('Loading sessions...')).toBeAttached();
  loading.letGo();
  await expect(sessionItems(page).first()).toBeVisible();
  await expect(page.getByText('Loading sessions...')).not.toBeAttached();
});
