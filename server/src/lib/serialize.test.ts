import { expect, test } from 'vitest';
import { createSerialize } from './serialize.ts';

test('work of one key runs one after the other, and does not wait for that of others', async () => {
  const serialize = createSerialize();
  const began: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = (name: string, end: Promise<void> = Promise.resolve()) => {
    began.push(name);
    return end;
  };
  const firstOfAda = serialize('ada', () => work('ada 1', first.promise));
  const failing = serialize('ada', () => work('ada 2', Promise.reject(new Error('no'))));
  const lastOfAda = serialize('ada', () => work('ada 3'));
  await serialize('ben', () => work('ben'));
  expect(began).toEqual(['ada 1', 'ben']);
  first.resolve();
  await firstOfAda;
  await expect(failing).rejects.toThrow('no');
  await lastOfAda;
  expect(began).toEqual(['ada 1', 'ben', 'ada 2', 'ada 3']);
});
