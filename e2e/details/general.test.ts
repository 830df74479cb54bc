import { freePort } from '@holdfast/test-support/free-ports.ts';
import {
  automaticZone,
  changeSettingsCall,
  filenameLength,
  generalPath,
  linkDomain,
  listenForBodies,
  manualZone,
  openGeneral,
  settingsCall,
  settingsSaved,
  zoneOptions,
} from '../harness/general-screen.ts';
import { errorBox, listenForStatuses, toast } from '../harness/screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, signUpAndIn, test } from '../harness/test.ts';

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

test('arrow keys move through the time zones, Escape closes the list, and the browser can be asked again', async ({
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
  await manualZone(page).click();
  await zoneOptions(page, { name: 'Asia/Tokyo' }).click();
  await expect(manualZone(page)).toHaveText('Asia/Tokyo');
  await automaticZone(page).check();
  await expect(toast(page, 'Timezone updated to Europe/Berlin').last()).toBeVisible();
  await expect(page.getByText('Taken from your browser: Europe/Berlin')).toBeVisible();
});

test('settings that fail to load show the reason, and Try again loads them', async ({ ownPage: page }) => {
  const error = { code: 'NOT_FOUND', message: 'Come back later.' };
  await page.route(settingsCall, (route) => route.fulfill({ status: 404, json: { success: false, error } }));
  await page.goto(generalPath);
  await expect(errorBox(page)).toContainText('The settings could not be loaded');
  await expect(errorBox(page)).toContainText('Come back later.');
  await page.unroute(settingsCall);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(automaticZone(page)).toBeVisible();
});

test("the link domain can be chosen from the operator's domains", async ({ browser }) => {
  const port = String(await freePort());
  const hosts = [`localhost:${port}`, `127.0.0.1:${port}`];
  const origins = hosts.map((host) => `http://${host}`);
  await using site = await startSite({
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}`,
    FILE_ORIGINS: origins.join(),
  });
  await using context = await browser.newContext({ baseURL: site.url });
  await signUpAndIn(site, context);
  const page = await context.newPage();
  await openGeneral(page);
  await expect(linkDomain(page).getByRole('option')).toHaveText(hosts);
  await expect(linkDomain(page)).toHaveValue(`localhost:${port}`);
  await linkDomain(page).selectOption(`127.0.0.1:${port}`);
  await expect(toast(page, settingsSaved)).toBeVisible();
  await page.reload();
  await expect(linkDomain(page)).toHaveValue(`127.0.0.1:${port}`);
});
