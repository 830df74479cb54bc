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
  ['first\u2028second\u2029third.jpg', 'firstsecondthird.jpg'],
  ['\u2028', 'file'],
  ['cafe\u0301.txt', 'café.txt'],
  ['\uD800.txt', '\uFFFD.txt'],
  ['', 'file'],
  ['.', 'file'],
  ['..', 'file'],
  ['\0', 'file'],
  ['folder/', 'file'],
  ['-', 'stdin'],
  ['63', 'stdin'],
  ['630', '630'],
  ['.bashrc', '.bashrc'],
  ['Набор 🐙.zip', 'Набор 🐙.zip'],
])('%j is kept as %j', (sent, kept) => {
  expect(cleanOriginalName(sent)).toBe(kept);
});

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

const awkward = '. .. / \\ \u2028 \u2029 \u202e \u200d é 🐙 👩‍👩‍👧‍👦 .txt .tar.gz .жпг'.split(' ');

/** Parts of file names that need cleaning, such as letters that take more bytes than a name may have. */
const hostileName = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(' ', ...awkward),
      fc
        .tuple(fc.constantFrom('n', 'か', '🐙', '.'), fc.integer({ min: 1, max: 300 }))
        .map(([base, marks]) => base + '\u0301'.repeat(marks)),
      fc.integer({ min: 1, max: 300 }).map((length) => 'a'.repeat(length)),
      fc.integer({ min: 1, max: 60 }).map((length) => '👩\u200d'.repeat(length)),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));

test('a cleaned name is short and well-formed, without path, control or direction characters', () => {
  fc.assert(
    fc.property(hostileName, (sent) => {
      const kept = cleanOriginalName(sent);
      expect(bytesOf(kept)).toBeLessThanOrEqual(230);
      expect(kept).not.toBe('');
      expect(kept.isWellFormed()).toBe(true);
      expect(kept).not.toMatch(/[/\\\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      expect(cleanOriginalName(kept)).toBe(kept);
      expect(kept.normalize('NFC')).toBe(kept);
    }),
    { numRuns: 2_000 },
  );
});

test('a name keeps its extension, whatever the rest of it contains', () => {
  const name = hostileName.filter((sent) => !/[/\\]/.test(sent));
  fc.assert(
    fc.property(name, fc.constantFrom('txt', 'JPG', 'tar', 'x', 'x'.repeat(16)), (sent, extension) => {
      const kept = cleanOriginalName(`n${sent}.${extension}`);
      expect(kept.endsWith(`.${extension}`) || kept.endsWith(`.${extension.toLowerCase()}`)).toBe(true);
      expect(extensionOf(kept)).toBe(extension.toLowerCase());
    }),
    { numRuns: 2_000 },
  );
});

test('a name that is too long is shortened before its extension', () => {
  expect(cleanOriginalName(`${'a'.repeat(5_000)}.tar`)).toBe(`${'a'.repeat(226)}.tar`);
  expect(cleanOriginalName(`${'🐙'.repeat(5_000)}.zip`)).toBe(`${'🐙'.repeat(56)}.zip`);
  expect(cleanOriginalName('b'.repeat(256))).toBe('b'.repeat(230));
});
