import { expect, test } from 'vitest';
import { createRecentChanges } from '../../lib/recent-changes.ts';
import type { Parent } from './parent.ts';
import { shareChanges } from './share-changes.ts';

/** Two workers of a parent that passes on what either of them tells. */
function twoWorkers() {
  const notes: ((ids: readonly string[]) => void)[] = [];
  const messages: (readonly string[])[] = [];
  const [one, other] = [0, 1].map((at) => {
    const parent: Pick<Parent, 'call' | 'onChanged'> = {
      call: (async (_name: string, { ids }: { ids: readonly string[] }) => {
        messages.push(ids);
        notes[1 - at]?.(ids);
        return null;
      }) as Parent['call'],
      onChanged: (note) => void (notes[at] = note),
    };
    return shareChanges(createRecentChanges(), parent);
  });
  if (!one || !other) throw new Error('unreachable: there are two');
  return { one, other, messages };
}

test('a change that one worker notes is known to the other', async () => {
  const { one, other } = twoWorkers();
  const before = performance.now();
  one.note('a blob');
  expect(one.hasChanged('a blob', before)).toBe(true);
  await Promise.resolve();
  expect(other.hasChanged('a blob', before)).toBe(true);
  expect(other.hasChanged('another blob', before)).toBe(false);
});

test('the changes of one moment are one message', async () => {
  const { one, messages } = twoWorkers();
  for (const id of ['a', 'b', 'c']) one.note(id);
  await Promise.resolve();
  one.note('d');
  await Promise.resolve();
  expect(messages).toEqual([['a', 'b', 'c'], ['d']]);
});
