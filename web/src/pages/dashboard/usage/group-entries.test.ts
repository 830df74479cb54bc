import type { ActivityEntry, ActivityEvent } from '@holdfast/contract/src/activity.ts';
import { expect, test } from 'vitest';
import { groupEntries } from './group-entries.ts';

const entry = (event: ActivityEvent, name: string, files = 1): ActivityEntry => ({
  event,
  name,
  original_name: `${name}.txt`,
  size: files,
  files,
  cause: '',
  happened: '2026-11-28T12:00:00.000Z',
});

test('entries of one event that follow each other are one group, in their order', () => {
  const groups = groupEntries([
    entry('inactivity', 'a'),
    entry('inactivity', 'b', 306),
    entry('malware', 'c'),
    entry('inactivity', 'd'),
  ]);
  expect(groups.map(({ event, entries, files }) => [event, entries.map(({ name }) => name).join(''), files])).toEqual([
    ['inactivity', 'ab', 307],
    ['malware', 'c', 1],
    ['inactivity', 'd', 1],
  ]);
});
