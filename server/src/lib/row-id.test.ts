import { expect, test } from 'vitest';
import { newRowId, nextRowId } from './row-id.ts';

test('ids of later milliseconds sort after those of earlier ones, byte by byte', () => {
  const times = [0, 1, 63, 64, 4_095, 4_096, 1_700_000_000_000, 1_700_000_000_001, 64 ** 7, 64 ** 8 - 1];
  const ids = times.map(newRowId);
  expect(ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(ids);
});

test('the next id sorts after the one before, also within one millisecond, until the clock is set back', () => {
  const now = 1_800_000_000_000;
  const timeOf = (id: string) => id.slice(0, 8);
  const ids = [now, now, now - 5, now + 1, now + 9, now - 5_000].map(nextRowId);
  const times = [now, now + 1, now + 2, now + 3, now + 9, now - 5_000];
  expect(ids.map(timeOf)).toEqual(times.map((time) => timeOf(newRowId(time))));
});

test('a clock that is still before 1970 gets the ids of 1970', () => {
  expect(newRowId(-3_600_000).slice(0, 8)).toBe(newRowId(0).slice(0, 8));
});
