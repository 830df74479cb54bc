import type { Account } from '@holdfast/contract/src/account.ts';
import { type PlanLevel, standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { fileWarning, roomWarning } from './check-files.ts';
import { emptyQueue, reduceQueue } from './queue.ts';
import { summaryOf } from './selectors.ts';

const account = (level: Account['info']['level'], space_used = 0, slots_used = 0): Account => ({
  info: { level, name: 'ada', email: 'ada@example.com', time_created: '2026-11-01T00:00:00Z', api_key: 'hf_x' },
  limits: { max_file_size: 1000, space_quota: 5000, slots_quota: 3, max_file_download_speed: 4 },
  usage: { space_used, slots_used },
});
const rules = (level: PlanLevel) => ({ plan: standardPlans[level], maxFileSize: 1000 });
const sized = (name: string, size: number) => new File(['x'.repeat(size)], name);
const queued = (...files: File[]) => reduceQueue(emptyQueue, { type: 'add', files });

test('Free accepts the listed types in any case, and other plans accept all', () => {
  expect(fileWarning({ name: 'map.PNG', size: 1 }, rules('free'))).toBeUndefined();
  expect(fileWarning({ name: 'setup.exe', size: 1 }, rules('free'))).toBe('The Free plan does not accept .exe files.');
  expect(fileWarning({ name: 'Makefile', size: 1 }, rules('free'))).toBe(
    'The Free plan does not accept files without an extension.',
  );
  expect(fileWarning({ name: 'setup.exe', size: 1 }, rules('starter'))).toBeUndefined();
});

test.each([
  ['.txt', 'The Free plan does not accept files without an extension.'],
  ['.env', 'The Free plan does not accept files without an extension.'],
  ['photo.jp-g', 'The Free plan does not accept files without an extension.'],
  ['a.txt ', undefined],
  ['a.TXT', undefined],
  ['folder/a.txt', undefined],
])('the name %j gives the warning of the server: %j', (name, warning) => {
  expect(fileWarning({ name, size: 1 }, rules('free'))).toBe(warning);
});

test('a file of exactly the size limit gives no warning', () => {
  expect(fileWarning({ name: 'a.txt', size: 1000 }, rules('free'))).toBeUndefined();
  expect(fileWarning({ name: 'a.txt', size: 1001 }, rules('free'))).toBe('Larger than your plan’s 1 KB limit.');
});

test('files that exceed the space together give a warning, without those already uploaded', () => {
  const queue = queued(sized('a', 600), sized('b', 500));
  expect(roomWarning(summaryOf(queue), account('Basic', 4000))).toBe('These files need 1.1 KB. You have 1 KB left.');
  const begun = [
    { type: 'start' } as const,
    { type: 'begin', id: 1, at: 0 } as const,
    { type: 'succeed', id: 1, at: 0, url: 'u' } as const,
  ];
  expect(roomWarning(summaryOf(begun.reduce(reduceQueue, queue)), account('Basic', 4500))).toBeUndefined();
});

test('files that exceed the slots give a warning', () => {
  expect(roomWarning(summaryOf(queued(sized('a', 1), sized('b', 1))), account('Basic', 0, 2))).toBe(
    'These are 2 files. You have 1 slot left.',
  );
});
