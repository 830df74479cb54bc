import { expect, test } from 'vitest';
import { newRowId, nextRowId, timeOfRowId } from './row-id.ts';

test('ids of later milliseconds sort after those of earlier ones, byte by byte', () => {
  const times = [0, 1, 63, 64, 4_095, 4_096, 1_700_000_000_000, 1_700_000_000_001, 64 ** 7, 64 ** 8 - 1];
  const ids = times.map(newRowId);
  expect(ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(ids);
});

test('ids of one millisecond are unique and valid in a cookie', () => {
  const ids = Array.from({ length: 10_000 }, () => newRowId(1_700_000_000_000));
  expect(new Set(ids).size).toBe(10_000);
  for (const id of ids) expect(id).toMatch(/^[-\w]{20}$/);
});

test('the time of an id can be read back', () => {
  for (const time of [0, 1, 63, 64, 1_700_000_000_001, 64 ** 8 - 1]) expect(timeOfRowId(newRowId(time))).toBe(time);
});

test('the next id sorts after the one before, also within one millisecond, until the clock is set back', () => {
  const now = 1_800_000_000_000;
  const ids = [now, now, now - 5, now + 1, now + 9].map(nextRowId);
  expect(ids.map(timeOfRowId)).toEqual([now, now + 1, now + 2, now + 3, now + 9]);
  expect(timeOfRowId(nextRowId(now - 5_000))).toBe(now - 5_000);
});
