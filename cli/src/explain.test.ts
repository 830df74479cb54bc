import { DatabaseUnavailable } from '@holdfast/server/src/storage/db/database.ts';
import { expect, test } from 'vitest';
import { explain } from './explain.ts';

test('a database that is not available is one sentence, and a fault of the program has its place', () => {
  const locked = new DatabaseUnavailable(new Error('database is locked'));
  expect(explain(locked)).toBe('The database is not available: database is locked');
  expect(explain(new Error('a fault'))).toContain('explain.test.ts');
});
