import { brokenRules, overflow } from '../harness/axe.ts';
import { expect, layouts, test } from '../harness/delivery.ts';

for (const layout of layouts)
  test(`a dead link on ${layout} is a page of the site, on a phone and in the dark too`, async ({ hosts, page }) => {
    const host = await hosts(layout);
    const link = (await host.upload('kelp.zip', 'kelp')).replace('.zip', '.png');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect((await page.goto(link))?.status()).toBe(404);
      await expect(page).toHaveTitle('This file doesn’t exist or was deleted. · Holdfast');
      expect(await overflow(page)).toBe(0);
      expect(await brokenRules(page), colorScheme).toEqual([]);
    }
    expect([...new Set(requested)]).toEqual([link]);
    await expect(page.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', `${host.site.url}/`);
    await page.getByRole('link', { name: 'Report a file' }).click();
    await expect(page.getByText('send the full link to the operator')).toBeVisible();
  });
