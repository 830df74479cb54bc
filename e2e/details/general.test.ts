import { freePort } from '@holdfast/test-support/free-ports.ts';
import {
  automaticZone,
  linkDomain,
  manualZone,
  openGeneral,
  settingsSaved,
  zoneOptions,
} from '../harness/general-screen.ts';
import { toast } from '../harness/screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, signUpAndIn, test } from '../harness/test.ts';

test.use({ timezoneId: 'Europe/Berlin' });

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
  await expect(page.getByText('Detected from your browser: Europe/Berlin')).toBeVisible();
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
