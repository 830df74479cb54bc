import { expect, test } from 'vitest';
import { readerOf } from './byte-reader.ts';

test('chunks are read in order into memory of any size, and then 0 is returned', async () => {
  const reader = readerOf(['', 'abcdef', '', 'g', 'hij'].map((text) => Buffer.from(text)));
  const [read, into] = [[] as string[], Buffer.alloc(4)];
  for (let count; (count = await reader.read(into)) > 0;) read.push(into.toString('utf8', 0, count));
  expect(read).toEqual(['abcd', 'ef', 'g', 'hij']);
  expect(await reader.read(into)).toBe(0);
});
