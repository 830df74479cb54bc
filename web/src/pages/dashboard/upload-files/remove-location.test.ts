import fc from 'fast-check';
import { expect, test } from 'vitest';
import jpg from '../../../../../e2e/fixtures/located.jpg?inline';
import png from '../../../../../e2e/fixtures/located.png?inline';
import webp from '../../../../../e2e/fixtures/located.webp?inline';
import { removeLocation } from './remove-location.ts';

/** Made by ImageMagick, cwebp and ExifTool. One character for each byte. */
const photos = { jpg, png, webp };
const read = (kind: keyof typeof photos): string => atob(photos[kind].replace(/^.*,/, ''));
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: ArrayBuffer) => Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');

async function remove(text: string, type = 'image/jpeg', name = 'pier.jpg') {
  const file = new File([bytesOf(text)], name, { type, lastModified: 1_780_000_000_000 });
  const { file: after, note } = await removeLocation(file);
  return { note, isSame: after === file, after, text: textOf(await after.arrayBuffer()) };
}

const bigEndian = (...numbers: number[]) => numbers.map((each) => `\0\0\0${String.fromCharCode(each)}`).join('');
const littleEndian = (...numbers: number[]) => numbers.map((each) => `${String.fromCharCode(each)}\0\0\0`).join('');

/** Degrees and minutes as Exif stores them. */
const hasPosition = (text: string): boolean =>
  [bigEndian, littleEndian].some((order) => text.includes(order(59, 1, 54, 1)) || text.includes(order(10, 1, 45, 1)));

test.each(['jpg', 'png', 'webp'] as const)(
  'a photo as %s keeps its size, its picture and its other facts, and loses its location',
  async (name) => {
    const before = read(name);
    expect(hasPosition(before) && before.includes('Oslo')).toBe(true);
    const { note, text, after } = await remove(before);
    expect(note).toBe('Location removed');
    expect([after.size, after.name, after.lastModified]).toEqual([before.length, 'pier.jpg', 1_780_000_000_000]);
    expect(hasPosition(text)).toBe(false);
    expect(text).not.toMatch(/gpsl|oslo/i);
    for (const kept of ['Kelp', 'Reef', 'Ada', '2026:05:04 12:00:00', 'xmp:Rating']) expect(text).toContain(kept);
    expect((await remove(text)).note).toBe('No location');
  },
);

test.each([
  ['jpg', '\u00ff\u00da', '\u00ff\u00d9'],
  ['png', 'IDAT', 'tEXt'],
  ['webp', 'VP8 ', 'EXIF'],
] as const)('the picture in a photo as %s stays byte for byte', async (kind, first, last) => {
  const picture = (text: string) => text.slice(text.indexOf(first), text.indexOf(last, text.indexOf(first)));
  const before = read(kind);
  expect(picture(before).length).toBeGreaterThan(20);
  expect(picture((await remove(before)).text)).toBe(picture(before));
});

test('a video behind a photo is not checked, and the row says so', async () => {
  const { note, text } = await remove(`${read('jpg')}....ftypmp42`);
  expect(note).toBe('Location partly removed');
  expect(hasPosition(text)).toBe(false);
  expect(text.slice(-12)).toBe('....ftypmp42');
});

test('a second picture behind the first loses its location too', async () => {
  const { note, text } = await remove(read('jpg') + read('jpg'));
  expect([note, hasPosition(text)]).toEqual(['Location removed', false]);
});

test.each([
  ['a HEIC photo', 'image/heic', 'a.heic', 'Location not checked'],
  ['a HEIC photo of an unknown type', '', 'a.HEIC', 'Location not checked'],
  ['a video', 'video/mp4', 'a.mp4', 'Location not checked'],
  ['text', 'text/plain', 'a.txt', undefined],
])('%s stays as it is', async (_what, type, name, note) => {
  expect(await remove('abc', type, name)).toMatchObject({ note, isSame: true });
});

test('a photo that cannot be read or is huge stays as it is', async () => {
  for (const facts of [{ arrayBuffer: () => Promise.reject(new Error('gone')) }, { size: 100_000_001 }]) {
    const file = Object.defineProperties(
      new File([bytesOf(read('jpg'))], 'a.jpg', { type: 'image/jpeg' }),
      Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, { value }])),
    );
    expect(await removeLocation(file)).toEqual({ file, note: 'Location not checked' });
  }
});

test('a position that overlaps what is kept is not overwritten', async () => {
  const before = read('jpg');
  const tiff = before.indexOf('Exif\0\0') + 6;
  // The entry leads to the first table.
  const pointer = before.indexOf(`\u0088\u0025\0\u0004${bigEndian(1)}`) + 8;
  const spoiled = before.slice(0, pointer) + bigEndian(9) + before.slice(pointer + 4);
  expect(pointer).toBeGreaterThan(tiff);
  const { text, note } = await remove(spoiled);
  expect(note).toBe('Location partly removed');
  expect(text.slice(tiff, tiff + 400)).toBe(spoiled.slice(tiff, tiff + 400));
});

test.each(['jpg', 'png', 'webp'] as const)('a photo as %s, cut or damaged anywhere, keeps its size', async (kind) => {
  const whole = bytesOf(read(kind));
  const places = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length), fc.array(places), async (end, damage) => {
      const bytes = whole.slice();
      for (const [at, value] of damage) bytes[at] = value;
      const file = new File([bytes.subarray(0, end)], 'pier.jpg', { type: 'image/jpeg' });
      const { file: after, note } = await removeLocation(file);
      expect(after.size).toBe(end);
      expect(note).toMatch(/^(Location (partly )?removed|No location|Location not checked)$/);
    }),
    { numRuns: 300 },
  );
});
