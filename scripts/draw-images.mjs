/**
 * Draws the images that cannot be SVG, from `web/images` and the favicon, into `web/public`, where they are committed.
 * Run `node scripts/draw-images.mjs` after any of them changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser } from '../test-support/open-browser.ts';
import { drawContours } from '../contract/src/contours.ts';
import { root } from './run.mjs';

const icon = readFileSync(join(root, 'web/images/icon.svg'), 'utf8');
const browser = await openBrowser();
try {
  for (const [name, size] of [
    ['apple-touch-icon.png', 180],
    ['icon-192.png', 192],
    ['icon-512.png', 512],
  ])
    write(name, await drawIcon(size));
  write('favicon.ico', asIco(await drawIcon(32, 'border-radius: 7px')));
  write('social.png', await drawSocial());
} finally {
  await browser.close();
}

function write(name, bytes) {
  writeFileSync(join(root, 'web/public', name), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}

async function drawIcon(size, style = '') {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<body style="margin:0"><div style="overflow:hidden;height:${size}px;${style}">${icon}</div>`);
  return await page.screenshot({ omitBackground: true });
}

async function drawSocial() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.goto(pathToFileURL(join(root, 'web/images/social.html')).href);
  const rings = drawContours().map(
    ({ path, heavy }) => `<path d="${path}" stroke-width="${heavy ? 1 : 0.6}" opacity="${heavy ? 0.55 : 0.35}"/>`,
  );
  await page.locator('#contours').evaluate((svg, paths) => (svg.innerHTML = paths), rings.join(''));
  await page.evaluate(() => document.fonts.ready);
  return await page.screenshot();
}

/** Wraps one PNG in an ICO: a header of 6 bytes and an entry of 16. */
function asIco(png) {
  const frame = Buffer.alloc(22);
  frame.writeUInt16LE(1, 2);
  frame.writeUInt16LE(1, 4);
  frame.writeUInt8(32, 6);
  frame.writeUInt8(32, 7);
  frame.writeUInt16LE(1, 10);
  frame.writeUInt16LE(32, 12);
  frame.writeUInt32LE(png.length, 14);
  frame.writeUInt32LE(frame.length, 18);
  return Buffer.concat([frame, png]);
}
