import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanOriginalName, extensionOf } from './original-name.ts';

test.each([
  ['photo.jpg', 'photo.jpg'],
  ['/home/ada/photo.jpg', 'photo.jpg'],
  ['C:\\Users\\ada\\photo.jpg', 'photo.jpg'],
  ['..\\../photo.jpg', 'photo.jpg'],
  ['  photo.jpg  ', 'photo.jpg'],
  ['pho\tto\r\n.jpg\0', 'photo.jpg'],
  ['photo\u202Egpj.exe', 'photogpj.exe'],
  ['\u2066photo\u2069.jpg', 'photo.jpg'],
  ['\uFEFFphoto.jpg', 'photo.jpg'],
  ['cafe\u0301.txt', 'café.txt'],
  ['\uD800.txt', '\uFFFD.txt'],
  ['', 'file'],
  ['.', 'file'],
  ['..', 'file'],
  ['\0', 'file'],
  ['folder/', 'file'],
  ['.bashrc', '.bashrc'],
  ['Набор 🐙.zip', 'Набор 🐙.zip'],
])('%j is kept as %j', (sent, kept) => {
  expect(cleanOriginalName(sent)).toBe(kept);
});

test('whatever is sent, a name that is kept is short, whole, flat and shows what it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (sent) => {
      const kept = cleanOriginalName(sent);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(255);
      expect(kept).not.toBe('');
      expect(kept.isWellFormed()).toBe(true);
      expect(kept).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(cleanOriginalName(kept)).toBe(kept);
    }),
    { numRuns: 500 },
  );
});

test('a name that is too long loses its middle and keeps its extension', () => {
  expect(cleanOriginalName(`${'a'.repeat(5_000)}.tar`)).toBe(`${'a'.repeat(251)}.tar`);
  expect(cleanOriginalName(`${'🐙'.repeat(5_000)}.zip`)).toBe(`${'🐙'.repeat(62)}.zip`);
  expect(cleanOriginalName('b'.repeat(256))).toBe('b'.repeat(255));
});

test.each([
  ['photo.JPG', 'jpg'],
  ['archive.tar.gz', 'gz'],
  ['README', ''],
  ['.gitignore', ''],
  ['photo.', ''],
  ['photo.j g', ''],
  ['photo.жпг', ''],
  ['photo.jp-g', ''],
  [`a.${'x'.repeat(16)}`, 'x'.repeat(16)],
  [`a.${'x'.repeat(17)}`, ''],
])('the extension of %j is %j', (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});
