import type { BrowserContext } from '@playwright/test';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import {
  automaticZone,
  generalPath,
  linkDomain,
  openGeneral,
  settingsCall,
  settingsSaved,
} from '../harness/general-screen.ts';
import { errorBox, toast } from '../harness/screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, signUpAndIn, test } from '../harness/test.ts';

test.use({ timezoneId: 'Europe/Berlin' });

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
  await using context: BrowserContext = await browser.newContext({ baseURL: site.url });
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
