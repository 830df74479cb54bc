import { expect, test } from 'vitest';
import { readerOf } from './byte-reader.ts';

test('chunks are read in order into memory of any size, and then 0 is returned', async () => {
  const reader = readerOf(['', 'abcdef', '', 'g', 'hij'].map((text) => Buffer.from(text)));
  const [read, into] = [[] as string[], Buffer.alloc(4)];
  for (let count; (count = await reader.read(into)) > 0;) read.push(into.toString('utf8', 0, count));
  expect(read).toEqual(['abcd', 'ef', 'g', 'hij']);
  expect(await reader.read(into)).toBe(0);
});

test('a chunk is taken only when it is needed, and its error is the error of the read', async () => {
  const broken = new Error('the client went away');
  let taken = 0;
  async function* chunks() {
    taken += 1;
    yield Buffer.from('abc');
    throw broken;
  }
  const reader = readerOf(chunks());
  expect(taken).toBe(0);
  expect(await reader.read(Buffer.alloc(10))).toBe(3);
  await expect(reader.read(Buffer.alloc(10))).rejects.toBe(broken);
});
