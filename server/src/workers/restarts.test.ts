import { expect, test } from 'vitest';
import { minutes, seconds } from '../lib/clock.ts';
import { createRestarts } from './restarts.ts';

const failed = { hasListened: false, livedMs: 800 };
const crashed = { hasListened: true, livedMs: seconds(5) };
const settled = { hasListened: true, livedMs: minutes(1) };

test('the pauses before a new start grow up to 30 seconds', () => {
  const restarts = createRestarts();
  const pauses = Array.from({ length: 9 }, () => restarts.noteEnd(crashed));
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('a worker that served for a minute is started again at once', () => {
  const restarts = createRestarts();
  for (let count = 0; count < 9; count += 1) restarts.noteEnd(crashed);
  expect(restarts.noteEnd(settled)).toBe(250);
});

test('five failed starts in a row are a loop, and a crash after a start that listened is none', () => {
  const restarts = createRestarts();
  for (let count = 0; count < 4; count += 1) restarts.noteEnd(failed);
  expect(restarts.isLoop()).toBe(false);
  restarts.noteEnd(crashed);
  for (let count = 0; count < 4; count += 1) restarts.noteEnd(failed);
  expect(restarts.isLoop()).toBe(false);
  restarts.noteEnd(failed);
  expect(restarts.isLoop()).toBe(true);
});
