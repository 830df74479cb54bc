import {
  automaticZone,
  detectZoneCall,
  listenForBodies,
  manualZone,
  openGeneral,
  zoneOptions,
} from '../harness/general-screen.ts';
import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test.use({ timezoneId: 'Europe/Berlin' });

test('arrow keys move through the time zones, Escape closes the list, and no match is reported', async ({
  ownPage: page,
}) => {
  await openGeneral(page);
  await automaticZone(page).uncheck();
  await manualZone(page).click();
  const search = page.getByRole('combobox', { name: 'Search Manual Timezone' });
  await search.fill('africa/a');
  const [first, second] = await zoneOptions(page).all();
  const active = () => search.getAttribute('aria-activedescendant');
  expect(await active()).toBe(await first?.getAttribute('id'));
  await page.keyboard.press('ArrowDown');
  expect(await active()).toBe(await second?.getAttribute('id'));
  await search.fill('atlantis');
  await expect(page.getByText("Nothing matches 'atlantis'")).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(search).toBeHidden();
  await expect(manualZone(page)).toHaveText('Europe/Berlin');
});

test('turning Automatic Timezone on again detects the time zone again', async ({ ownPage: page }) => {
  await openGeneral(page);
  await automaticZone(page).uncheck();
  await manualZone(page).click();
  await zoneOptions(page, { name: 'Asia/Tokyo' }).click();
  await expect(manualZone(page)).toHaveText('Asia/Tokyo');
  const guesses = listenForBodies(page, detectZoneCall);
  await automaticZone(page).check();
  await expect(toast(page, 'Timezone updated to Europe/Berlin').last()).toBeVisible();
  await expect(manualZone(page)).toBeHidden();
  await expect(page.getByText('Taken from your browser: Europe/Berlin')).toBeVisible();
  expect(guesses.at(-1)).toMatchObject({ guessed_timezone: 'Europe/Berlin' });
});
