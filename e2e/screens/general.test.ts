import {
  autoDeleteSlider,
  automaticZone,
  changeSettingsCall,
  continuousUploading,
  detectZoneCall,
  filenameLength,
  generalPath,
  includeExtensions,
  linkDomain,
  listenForBodies,
  manualZone,
  openGeneral,
  settingsCall,
  settingsSaved,
  zoneOptions,
} from '../harness/general-screen.ts';
import { listenForStatuses, toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test.use({ timezoneId: 'Europe/Berlin' });

test(
  'a new account has the default settings, and the time zone of the browser is saved',
  { tag: '@detail' },
  async ({ ownPage: page, site }) => {
    const guesses = listenForBodies(page, detectZoneCall);
    await page.goto(generalPath);
    await expect(toast(page, 'Timezone updated to Europe/Berlin')).toBeVisible();
    await expect(page.getByText('Detected from your browser: Europe/Berlin')).toBeVisible();
    expect(guesses).toEqual([
      {
        guessed_timezone: 'Europe/Berlin',
        timezone_offset_minutes: expect.any(Number) as unknown,
        is_dst: expect.any(Number) as unknown,
      },
    ]);
    await expect(automaticZone(page)).toBeChecked();
    await expect(manualZone(page)).toBeHidden();
    await expect(includeExtensions(page)).toBeChecked();
    await expect(linkDomain(page)).toHaveValue(new URL(site.url).host);
    await expect(filenameLength(page)).toHaveAttribute('aria-valuetext', '8 characters');
    await expect(continuousUploading(page)).not.toBeChecked();
    await expect(autoDeleteSlider(page)).toHaveAttribute('aria-valuetext', 'Off');
  },
);

test('a switch is saved at once, and a time zone can be searched and chosen by keyboard', async ({ ownPage: page }) => {
  await openGeneral(page);
  const changes = listenForBodies(page, changeSettingsCall);
  const saves = listenForStatuses(page, changeSettingsCall);
  for (const [index, { control, key }] of [
    { control: includeExtensions, key: 'return_file_extension' },
    { control: automaticZone, key: 'timezone_auto' },
  ].entries()) {
    const readAgain = page.waitForResponse(settingsCall);
    await control(page).uncheck();
    await expect.poll(() => saves).toEqual(Array.from({ length: index + 1 }, () => 200));
    await readAgain;
    expect(changes.at(-1)).toEqual({ [key]: false });
  }
  await manualZone(page).press('Enter');
  await expect(page.getByRole('combobox', { name: 'Search Manual Timezone' })).toBeFocused();
  expect(await zoneOptions(page).count()).toBeGreaterThan(400);
  await expect(zoneOptions(page, { name: 'Europe/Berlin', selected: true })).toBeInViewport();
  await page.keyboard.type('america york');
  await expect(zoneOptions(page)).toHaveText(['America/New_York']);
  await page.keyboard.press('Enter');
  await expect(zoneOptions(page)).toHaveCount(0);
  await expect(manualZone(page)).toBeFocused();
  await expect(manualZone(page)).toHaveText('America/New_York');
  await expect.poll(() => saves).toEqual([200, 200, 200]);
  expect(changes.at(-1)).toEqual({ timezone: 'America/New_York' });
  await page.reload();
  await expect(includeExtensions(page)).not.toBeChecked();
  await expect(automaticZone(page)).not.toBeChecked();
  await expect(manualZone(page)).toHaveText('America/New_York');
});

test(
  'a slider saves only the value at which it is released, and a refused change is reverted',
  { tag: '@detail' },
  async ({ ownPage: page }) => {
    await openGeneral(page);
    const changes = listenForBodies(page, changeSettingsCall);
    await filenameLength(page).scrollIntoViewIfNeeded();
    const box = await filenameLength(page).boundingBox();
    if (!box) throw new Error('the slider is nowhere');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 100, y, { steps: 5 });
    await expect(filenameLength(page)).not.toHaveAttribute('aria-valuetext', '8 characters');
    const length = Number(await filenameLength(page).getAttribute('aria-valuenow'));
    expect(changes).toEqual([]);
    await page.mouse.up();
    await expect(toast(page, settingsSaved)).toBeVisible();
    expect(changes).toEqual([{ preferred_filename_length: length }]);

    const saves = listenForStatuses(page, changeSettingsCall);
    const error = { code: 'UNAVAILABLE', message: 'The database is away.' };
    await page.route(changeSettingsCall, (route) => route.fulfill({ status: 503, json: { success: false, error } }));
    await page.route(settingsCall, (route) => route.abort());
    await includeExtensions(page)
      .uncheck({ noWaitAfter: true })
      .catch(() => {});
    await expect(toast(page, 'The database is away.')).toBeVisible();
    await expect(includeExtensions(page)).toBeChecked();
    await filenameLength(page).focus();
    await page.keyboard.press('End');
    await expect.poll(() => saves).toEqual([503, 503]);
    await expect(filenameLength(page)).toHaveAttribute('aria-valuetext', `${length} characters`);
  },
);
