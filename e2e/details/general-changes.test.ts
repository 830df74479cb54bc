import {
  changeSettingsCall,
  filenameLength,
  includeExtensions,
  listenForBodies,
  openGeneral,
} from '../harness/general-screen.ts';
import { listenForStatuses, toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test.use({ timezoneId: 'Europe/Berlin' });

test('a slider moved by keys saves once, shortly after the last key is released', async ({ ownPage: page }) => {
  await openGeneral(page);
  const changes = listenForBodies(page, changeSettingsCall);
  const saves = listenForStatuses(page, changeSettingsCall);
  await filenameLength(page).focus();
  for (let repeat = 0; repeat < 4; repeat += 1) await page.keyboard.down('ArrowRight');
  await expect(filenameLength(page)).toHaveAttribute('aria-valuetext', '12 characters');
  expect(changes).toEqual([]);
  await page.keyboard.up('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => saves).toEqual([200]);
  await page.keyboard.press('Home');
  await expect.poll(() => saves).toEqual([200, 200]);
  await page.keyboard.press('End');
  await expect.poll(() => saves).toEqual([200, 200, 200]);
  const sent = [12, 4, 32].map((preferred_filename_length) => ({ preferred_filename_length }));
  expect(changes).toEqual(sent);
});

test('a change is shown at once, and reverted with a default message if it fails', async ({ ownPage: page }) => {
  await openGeneral(page);
  let fail = () => {};
  const failing = new Promise<void>((resolve) => (fail = resolve));
  await page.route(changeSettingsCall, async (route) => {
    await failing;
    await route.fulfill({ status: 502, body: '<!doctype html>' });
  });
  await includeExtensions(page).uncheck();
  fail();
  await expect(toast(page, 'Failed to update settings')).toBeVisible();
  await expect(includeExtensions(page)).toBeChecked();
});
