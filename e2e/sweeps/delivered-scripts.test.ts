import type { Page } from '@playwright/test';
import { hostileFiles } from '../fixtures/hostile-files.ts';
import { expect, layouts } from '../harness/delivery.ts';
import { hearEveryFrame, test } from '../harness/hostile-uploads.ts';
import { loadAsCode } from '../harness/load-as-code.ts';
import { openOtherSite } from '../harness/other-site.ts';
import { serveToRun } from '../harness/serve-to-run.ts';

// The policy of the files refuses their scripts.
test.use({ intended: /violates the following Content Security Policy directive/ });

/** Counts elements that have loaded or refused their file. `counting` must come before them in the page. */
const counting = '<script>settled = 0</script>';
const counted = 'onload="settled++" onerror="settled++"';
const settled = (page: Page) => page.evaluate<number>('settled');

test('each hostile file runs on a server without protection', async ({ page, ran }) => {
  await using careless = await openOtherSite();
  for (const { name, bytes, runs } of hostileFiles(`${careless.url}/told`)) {
    if (!runs) continue;
    await page.goto(serveToRun(careless, { name, bytes, runs }));
    await expect.poll(() => [...new Set(ran)]).toContain(`ran: ${name}`);
    await expect.poll(() => careless.told.some((told) => told.includes(encodeURIComponent(name)))).toBe(true);
  }
});

for (const layout of layouts) {
  test.describe(`from ${layout}`, () => {
    test.beforeEach(async ({ context, hosts }) => context.addCookies((await hosts(layout)).cookies));

    test.afterEach(async ({ page, ran, other }) => {
      await hearEveryFrame(page);
      expect([...ran, ...other.told]).toEqual([]);
    });

    test('a followed link runs nothing and downloads files that a browser might run', async ({
      page,
      uploads,
      other,
    }) => {
      for (const { name, link, opens } of await uploads(layout)) {
        await other.show(page, `<a href="${link}">${name}</a>`);
        const download = opens === 'download' ? page.waitForEvent('download') : null;
        await page.getByRole('link').click();
        if (download) expect((await download).suggestedFilename()).toBe(name);
        else await page.waitForURL(link);
        await hearEveryFrame(page);
      }
    });

    test('a file in a window that another site opens runs nothing', async ({ page, context, uploads, other }) => {
      await other.show(page, '');
      for (const { link, opens } of await uploads(layout)) {
        const opening = context.waitForEvent('page');
        const download = opens === 'download' ? context.waitForEvent('download') : null;
        await page.evaluate((address) => void window.open(address), link);
        const opened = await opening;
        await (download ?? opened.waitForURL(link));
        await hearEveryFrame(opened);
        await opened.close();
      }
    });

    test('a file that is served as a page or a script runs nothing under its policy', async ({
      page,
      uploads,
      other,
    }) => {
      for (const { name, bytes, runs, link } of await uploads(layout)) {
        if (!runs) continue;
        const policy = (await fetch(link)).headers.get('Content-Security-Policy') ?? '';
        await page.goto(serveToRun(other, { name, bytes, runs }, policy));
        await hearEveryFrame(page);
      }
    });

    for (const frame of ['iframe', 'embed', 'object']) {
      test(`<${frame}> on another site runs nothing`, async ({ page, uploads, other }) => {
        // This browser has no PDF viewer, and an embedded PDF is neither requested nor reported as an error.
        const files = (await uploads(layout)).filter(({ name }) => frame !== 'embed' || name !== 'report.pdf');
        const downloads = new Set<string>();
        page.on('download', (download) => downloads.add(download.url()));
        const source = frame === 'object' ? 'data' : 'src';
        const elements = files.map(({ link }) => `<${frame} ${source}="${link}" ${counted}></${frame}>`);
        await other.show(page, counting + elements.join(''));
        await expect.poll(async () => (await settled(page)) + downloads.size).toBe(files.length);
      });
    }

    test('a file embedded as an image, script or style sheet on another site runs nothing', async ({
      page,
      uploads,
      other,
    }) => {
      const elements = (await uploads(layout)).flatMap(({ link }) => [
        `<img src="${link}" ${counted}>`,
        // A file that declares itself a script or a style sheet may run: it has the origin of the other site, not ours.
        ...(link.endsWith('.js') ? [] : [`<script src="${link}" ${counted}></script>`]),
        ...(link.endsWith('.css') ? [] : [`<link rel="stylesheet" href="${link}" ${counted}>`]),
      ]);
      await other.show(page, counting + elements.join(''));
      await expect.poll(() => settled(page)).toBe(elements.length);
    });

    test('the app itself cannot load a file as a script or a worker', async ({ page, uploads, hosts }) => {
      const { site } = await hosts(layout);
      await page.goto(`${site.url}/sign-in`);
      for (const { link } of await uploads(layout))
        expect(await page.evaluate(loadAsCode, new URL(link).pathname)).toEqual({
          script: false,
          worker: false,
          serviceWorker: false,
        });
    });

    test('a displayed file has no origin, so neither cookies nor storage', async ({ page, uploads }) => {
      for (const { link } of (await uploads(layout)).filter(({ opens }) => opens === 'inline')) {
        await page.goto(link);
        expect(await page.evaluate(() => self.origin)).toBe('null');
        await expect(page.evaluate(() => document.cookie)).rejects.toThrow('SecurityError');
        await expect(page.evaluate(() => localStorage.length)).rejects.toThrow('SecurityError');
      }
    });
  });
}

test("if files have their own origin, the app's origin redirects to it", async ({ page, hosts, other }) => {
  const host = await hosts('an origin for files only');
  const link = await host.upload('page.html', '<!doctype html>');
  await other.show(page, `<a href="${host.site.url}${new URL(link).pathname}">page.html</a>`);
  const download = page.waitForEvent('download');
  await page.getByRole('link').click();
  expect((await download).url()).toBe(link);
});
