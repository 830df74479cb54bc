import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeap } from './heap.ts';

test('the first item is the least after any additions and removals', () => {
  const step = fc.record({ add: fc.nat({ max: 50 }), remove: fc.option(fc.nat({ max: 40 })) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const heap = createHeap<{ key: number }>((a, b) => a.key < b.key);
      const items: { key: number }[] = [];
      for (const { add, remove } of steps) {
        const item = { key: add };
        items.push(item);
        heap.add(item);
        if (remove !== null) for (const each of items.splice(remove, 1)) heap.remove(each);
        expect(heap.size).toBe(items.length);
        expect(heap.first()?.key).toBe(items.length === 0 ? undefined : Math.min(...items.map(({ key }) => key)));
      }
      for (const key of items.map((item) => item.key).toSorted((a, b) => a - b)) {
        const first = heap.first();
        expect(first?.key).toBe(key);
        if (first) heap.remove(first);
      }
      expect(heap.first()).toBeUndefined();
    }),
  );
});

test('removing an absent item changes nothing', () => {
  const heap = createHeap<string>((a, b) => a < b);
  heap.add('a');
  heap.remove('b');
  heap.remove('a');
  heap.remove('a');
  expect(heap.size).toBe(0);
});
