import { extensionOf } from '@holdfast/contract/src/original-name.ts';
import { parse } from 'content-disposition';
import { expect, test } from 'vitest';
import { newBlobId } from '../storage/blobs/blob-id.ts';
import type { PublicFile } from './look-up.ts';
import { createRepresentations } from './representation.ts';

const song: PublicFile = {
  id: 'f1',
  name: 'q7Rt2mXa',
  accountId: 'a1',
  blobId: newBlobId(),
  size: 4,
  sha256: '0'.repeat(64),
  extension: 'mp3',
  originalName: 'song.mp3',
  uploadedAt: 1_000,
  lastAccessedAt: 0,
  autoDeleteDays: 0,
  pendingScan: 0,
  level: 'free',
  ownLimits: '',
};

test('the headers of a file are computed once, although its accesses and its plan change', () => {
  const representationOf = createRepresentations();
  expect(representationOf({ ...song, lastAccessedAt: 5, level: 'power' })).toBe(representationOf(song));
});

test.each([
  { size: 5 },
  { sha256: '1'.repeat(64) },
  { extension: 'txt' },
  { originalName: 'other.mp3' },
  { uploadedAt: 2_000 },
])('a file that has changed has its new headers: %o', (change) => {
  const representationOf = createRepresentations();
  const before = representationOf(song);
  const after = representationOf({ ...song, ...change });
  expect(after).not.toEqual(before);
  expect(after).toEqual(createRepresentations()({ ...song, ...change }));
});

test.each([
  ['pack.zip', 'pack.zip'],
  ['what?.zip', 'what?.zip'],
  ['résumé.pdf', 'resume.pdf'],
  ['ÄÖÜ.zip', 'AOU.zip'],
  ['Straße.zip', 'q7Rt2mXa.zip'],
  ['file ф.zip', 'q7Rt2mXa.zip'],
  ['song 🐙.zip', 'q7Rt2mXa.zip'],
  ['«».zip', 'q7Rt2mXa.zip'],
  ['Mod — v1.2 "fix"?.jar', 'Mod _ v1.2 _fix__.jar'],
  ['файл.zip', 'q7Rt2mXa.zip'],
  ['файл1.zip', 'q7Rt2mXa.zip'],
  ['日本語', 'q7Rt2mXa'],
  ['🐙.zip', 'q7Rt2mXa.zip'],
])('a client that reads only ASCII saves %s as %s', (originalName, ascii) => {
  const { headers } = createRepresentations()({ ...song, originalName, extension: extensionOf(originalName) });
  const header = headers[headers.indexOf('Content-Disposition') + 1] ?? '';
  expect(parse(header).parameters['filename']).toBe(originalName);
  expect(parse(header, { extended: false }).parameters['filename']).toBe(ascii);
});

test('a long name of an earlier version is sent in 230 bytes, so that clients can save it with their suffixes', () => {
  for (const letter of ['é', '㏂']) {
    const originalName = `${letter.repeat(Math.ceil(251 / Buffer.byteLength(letter)))}.zip`;
    const { headers } = createRepresentations()({ ...song, originalName, extension: 'zip' });
    const header = headers[headers.indexOf('Content-Disposition') + 1] ?? '';
    for (const extended of [true, false]) {
      const name = parse(header, { extended }).parameters['filename'] ?? '';
      expect(name).toMatch(/\.zip$/);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(230);
    }
  }
});
