import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ByteRange, selectRanges } from './ranges.ts';

const many = (count: number) => Array.from({ length: count }, (_, at) => `${at * 2}-${at * 2}`).join(',');
const huge = '9'.repeat(400);

test.each<[string | undefined, 'whole' | [number, number][]]>([
  [undefined, 'whole'],
  ['bytes=0-0', [[0, 0]]],
  ['bytes=500-', [[500, 999]]],
  ['bytes=-5000', [[0, 999]]],
  [`bytes=990-${huge}`, [[990, 999]]],
  ['BYTES=1-2', [[1, 2]]],
  ['bytes= 1-2 ', [[1, 2]]],
  ['bytes=,1-2,,', [[1, 2]]],
  [
    'bytes=0-1, 4-5\t,-2',
    [
      [0, 1],
      [4, 5],
      [998, 999],
    ],
  ],
  ['bytes=0-1,5000-6000', [[0, 1]]],
  ['bytes=1000-', []],
  ['bytes=-0', []],
  ['bytes=2-1', 'whole'],
  ['bytes=', 'whole'],
  ['bytes=٠-١', 'whole'],
  ['seconds=0-1', 'whole'],
  ['bytes=0-600,500-999', 'whole'],
  [`bytes=${many(33)}`, 'whole'],
])('%.40s of 1,000 bytes', (header, expected) => {
  const pairs = expected === 'whole' ? expected : expected.map(([start, end]) => ({ start, end }));
  expect(selectRanges(header, 1_000)).toEqual(pairs);
});

test.each<[string, 'whole' | []]>([
  ['bytes=0-', []],
  ['bytes=-0', []],
  ['bytes=-5', 'whole'],
])('%s of an empty file', (header, expected) => expect(selectRanges(header, 0)).toEqual(expected));

test('selected ranges lie inside the file and never exceed it', () => {
  const position = fc.oneof(fc.nat({ max: 30 }), fc.constant(''), fc.bigInt({ min: 0n }));
  const header = fc
    .array(fc.tuple(position, position), { minLength: 1, maxLength: 5 })
    .map((specs) => `bytes=${specs.map(([first, last]) => `${first}-${last}`).join(',')}`);
  fc.assert(
    fc.property(header, fc.nat({ max: 20 }), (text, size) => {
      const selection = selectRanges(text, size);
      if (selection === 'whole') return;
      const length = ({ start, end }: ByteRange) => end - start + 1;
      expect(selection.reduce((sum, range) => sum + length(range), 0)).toBeLessThanOrEqual(size);
      for (const { start, end } of selection) expect(0 <= start && start <= end && end < size).toBe(true);
    }),
  );
});
