import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { expect, layouts, test } from '../harness/delivery.ts';

/** Each clip is 10 seconds and several megabytes long, with its frame index at the end of the file. */
const clips = ['clip.mp4', 'clip.webm'];
const nearTheEnd = 9;

async function unpack(clip: string): Promise<Buffer<ArrayBuffer>> {
  return promisify(gunzip)(await readFile(new URL(`../fixtures/${clip}.gz`, import.meta.url)));
}

/** Eight bits, one channel, 8,000 samples per second, all silent. */
function silence(seconds: number): Buffer<ArrayBuffer> {
  const samples = Buffer.alloc(8000 * seconds, 0x80);
  const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  for (const [at, value] of [16, 0x1_0001, 8000, 8000, 0x8_0001].entries()) head.writeUInt32LE(value, 16 + 4 * at);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/**
 * Collects `FIRST` of each `bytes FIRST-LAST/SIZE` the player requested; a response that does not match is a failure.
 */
function partsOf(page: Page, link: string, size: number): readonly number[] {
  const starts: number[] = [];
  page.on('response', (response) => {
    const [, first] = /^bytes=(\d+)-$/.exec(response.request().headers()['range'] ?? '') ?? [];
    if (response.url() !== link || first === undefined) return;
    expect.soft(response.status()).toBe(206);
    expect.soft(response.headers()['content-range']).toBe(`bytes ${first}-${size - 1}/${size}`);
    starts.push(Number(first));
  });
  return starts;
}

const player = (page: Page) => page.locator('video, audio');
const state = (page: Page) =>
  player(page).evaluate((media: HTMLMediaElement) => ({
    duration: media.duration,
    time: media.currentTime,
    hasFrame: !media.seeking && media.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA,
  }));

/**
 * Seeks first, before the player has had time to buffer up to the target. A video in its own tab may already be
 * playing.
 */
async function expectToSeekAndPlay(page: Page): Promise<void> {
  await expect.poll(() => state(page)).toMatchObject({ duration: expect.closeTo(10, 1), hasFrame: true });
  await player(page).evaluate((media: HTMLMediaElement, time) => {
    media.pause();
    media.currentTime = time;
  }, nearTheEnd);
  await expect.poll(() => state(page)).toMatchObject({ time: nearTheEnd, hasFrame: true });
  await player(page).evaluate((media: HTMLMediaElement) => void media.play());
  await expect.poll(async () => (await state(page)).time).toBeGreaterThan(nearTheEnd + 0.3);
}

for (const layout of layouts) {
  test.describe(`from ${layout}`, () => {
    for (const clip of clips) {
      test(`${clip} seeks and plays in its own tab`, async ({ page, hosts }) => {
        const bytes = await unpack(clip);
        const link = await (await hosts(layout)).upload(clip, bytes);
        const parts = partsOf(page, link, bytes.length);
        await page.goto(link);
        await expect.poll(() => state(page)).toMatchObject({ hasFrame: true });
        await player(page).evaluate((video: HTMLVideoElement) => (video.controls = false));
        const before = await player(page).screenshot();
        await expectToSeekAndPlay(page);
        expect(Math.max(...parts)).toBeGreaterThan(bytes.length * 0.8);
        await expect.poll(async () => (await player(page).screenshot()).equals(before)).toBe(false);
      });

      test(`${clip} seeks and plays on another site`, async ({ page, hosts, other }) => {
        const bytes = await unpack(clip);
        const link = await (await hosts(layout)).upload(clip, bytes);
        const parts = partsOf(page, link, bytes.length);
        await other.show(page, `<video src="${link}" preload="metadata" muted></video>`);
        await expectToSeekAndPlay(page);
        expect(Math.max(...parts)).toBeGreaterThan(bytes.length * 0.8);
      });

      test(`another site may read the frames of ${clip}`, async ({ page, hosts, other }) => {
        const link = await (await hosts(layout)).upload(clip, await unpack(clip));
        await other.show(page, `<video src="${link}" crossorigin preload="auto" muted></video>`);
        await expect.poll(() => state(page)).toMatchObject({ hasFrame: true });
        const first = await frame(page);
        await expectToSeekAndPlay(page);
        const last = await frame(page);
        expect(first.colors).toBeGreaterThan(20);
        expect(last.colors).toBeGreaterThan(20);
        expect(last.pixels).not.toBe(first.pixels);
      });
    }

    test('an audio file seeks and plays on another site', async ({ page, hosts, other }) => {
      const link = await (await hosts(layout)).upload('song.wav', silence(10));
      await other.show(page, `<audio src="${link}"></audio>`);
      await expectToSeekAndPlay(page);
    });
  });
}

function frame(page: Page) {
  return player(page).evaluate((video: HTMLVideoElement) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 120 });
    const context = canvas.getContext('2d');
    context?.drawImage(video, 0, 0);
    const pixels = new Uint32Array(context?.getImageData(0, 0, 160, 120).data.buffer ?? new ArrayBuffer());
    return { colors: new Set(pixels).size, pixels: canvas.toDataURL() };
  });
}
