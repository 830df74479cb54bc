import { expect, test } from 'vitest';
import { readMoveTargets } from './move-targets.ts';

test('the places of a move are read like the settings that they will be, and noted without a password', () => {
  const toDatabase = 'postgres://holdfast:s%40cret@db.example/holdfast?password=secret&options=-c%20a%3Db';
  expect(readMoveTargets({ toDatabase, toBlobs: 'file:/srv/a@b' })).toEqual({
    database: {
      engine: { engine: 'postgres', url: toDatabase },
      place: 'postgres://holdfast@db.example/holdfast?options=-c+a%3Db',
    },
    blobs: { engine: { engine: 'disk', folder: '/srv/a@b' }, place: 'file:/srv/a@b' },
  });
  expect(readMoveTargets({})).toEqual({ database: null, blobs: null });
});

test.each([
  [{ toDatabase: 'mysql://db' }, "--to-database is 'mysql://…', but it must be sqlite:PATH or postgres://"],
  [{ toBlobs: '/srv/blobs' }, "--to-blobs is '…', but it must be file:FOLDER"],
])('%j is refused by the name of its option', (options, sentence) => {
  expect(() => readMoveTargets(options)).toThrow(sentence);
});
