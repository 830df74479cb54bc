import { expect, test } from 'vitest';
import { inBatches } from './in-batches.ts';

const never = new AbortController().signal;

test('batches continue until one finds nothing, and their counts are added up', async () => {
  const left = [500, 500, 3, 0, 9];
  expect(await inBatches(never, async () => left.shift() ?? 0)).toBe(1_003);
  expect(left).toEqual([9]);
});

test('other tasks run between two batches', async () => {
  let [turns, left] = [0, 10];
  const seen: number[] = [];
  const turn = () => {
    turns += 1;
    if (left > 0) setImmediate(turn);
  };
  setImmediate(turn);
  await inBatches(never, async () => {
    seen.push(turns);
    return left-- > 0 ? 1 : 0;
  });
  expect(new Set(seen).size).toBe(seen.length);
});

test('an aborted run starts no further batch', async () => {
  const ending = new AbortController();
  let batches = 0;
  const run = inBatches(ending.signal, async () => {
    batches += 1;
    if (batches === 2) ending.abort(new Error('the server ends'));
    return 1;
  });
  await expect(run).rejects.toThrow('the server ends');
  expect(batches).toBe(2);
});
