import { expect, test } from 'vitest';
import { evictedText } from './resumable.ts';

test('what was evicted fits in a header, whatever the names are', () => {
  const some = { total: 2, size: 100, names: ['Größe.zip', '🌊 "tide".mp4'] };
  expect(evictedText(some)).toMatch(/^[ -~]+$/);
  expect(JSON.parse(evictedText(some))).toEqual(some);
  const many = { total: 30, size: 100, names: Array.from({ length: 10 }, () => 'ß'.repeat(127)) };
  const text = evictedText(many);
  expect(text.length).toBeLessThan(2000);
  expect(JSON.parse(text)).toEqual({ ...many, names: many.names.slice(0, 2) });
});
