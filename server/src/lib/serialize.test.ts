import { expect, test } from 'vitest';
import { QueueFull } from './semaphore.ts';
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

test('work beyond what may wait is refused', async () => {
  const serialize = createSerialize(1, 1);
  const first = Promise.withResolvers<void>();
  const running = serialize('ada', () => first.promise);
  const waiting = serialize('ada', async () => 'waited');
  await expect(serialize('ada', async () => 'too many')).rejects.toThrow(QueueFull);
  first.resolve();
  await running;
  expect(await waiting).toBe('waited');
});
