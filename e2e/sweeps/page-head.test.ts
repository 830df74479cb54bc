import type { APIRequestContext } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

async function pathsFor(request: APIRequestContext): Promise<string[]> {
  const map = await (await request.get('/sitemap.xml')).text();
  return [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
}

test('the title in the served HTML equals the title that the app sets', async ({ page, request }) => {
  const paths = await pathsFor(request);
  expect(paths.length).toBeGreaterThan(2);
  for (const path of paths) {
    const [, written = ''] = /<title>([^<]+)<\/title>/.exec(await (await request.get(path)).text()) ?? [];
    await page.goto(path);
    await expect(pageHeading(page)).toBeVisible();
    await expect(page).toHaveTitle(written);
  }
});

test('every icon and the social image exist in their declared size', async ({ page, request }) => {
  await page.goto('/');
  const named = await page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel~="icon"], link[rel="apple-touch-icon"]')];
    const shared = document.querySelector<HTMLMetaElement>('meta[property="og:image"]');
    return [...links.map(({ href }) => href), shared?.content ?? ''].map((address) => new URL(address).pathname);
  });
  const manifest = await (await request.get('/site.webmanifest')).json();
  const { icons } = manifest as { icons: { src: string; sizes: string }[] };
  expect(named).toEqual(['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png', '/social.png']);
  const sizes = new Map([
    ...icons.map(({ src, sizes: size }) => [src, size] as const),
    ['/favicon.ico', '32x32'],
    ['/favicon.svg', null],
    ['/apple-touch-icon.png', '180x180'],
    ['/social.png', '1200x630'],
  ]);
  for (const [path, said] of sizes) {
    const answer = await request.get(path);
    expect(answer.status(), path).toBe(200);
    expect(answer.headers()['cache-control'], path).toBe('public, max-age=3600');
    const size = await page.evaluate(async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, path);
    if (!path.endsWith('.svg')) expect(size, path).toBe(said);
  }
});
