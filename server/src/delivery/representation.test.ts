import { expect, test } from 'vitest';
import { newBlobId } from '../storage/blobs/blob-id.ts';
import type { PublicFile } from './look-up.ts';
import { createRepresentations } from './representation.ts';

const song: PublicFile = {
  id: 'f1',
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
