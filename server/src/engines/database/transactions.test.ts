import { expect, test } from 'vitest';
import type { Database } from './database.ts';
import { withTransactions } from './transactions.ts';
import { SharedCommitFailed } from './sqlite-writes.ts';

/** A database whose transactions fail as often as it has errors, and then succeed. */
function failing(errors: readonly Error[]): { readonly db: Database; readonly tries: () => number } {
  let tries = 0;
  const execute = async () => {
    const error = errors[tries];
    tries += 1;
    if (error) throw error;
    return 'kept';
  };
  const db = { transaction: () => ({ execute }) } as unknown as Database;
  return { db: withTransactions(db, undefined), tries: () => tries };
}

const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
const run = (db: Database) => db.transaction().execute(async () => {});

test('a transaction whose shared commit failed runs again', async () => {
  const { db, tries } = failing(Array.from({ length: 4 }, () => new SharedCommitFailed(full)));
  expect(await run(db)).toBe('kept');
  expect(tries()).toBe(5);
});

test('after its last try it fails with the reason, which callers know', async () => {
  const { db, tries } = failing(Array.from({ length: 5 }, () => new SharedCommitFailed(full)));
  await expect(run(db)).rejects.toBe(full);
  expect(tries()).toBe(5);
});

test('any other error ends it at once', async () => {
  const { db, tries } = failing([full]);
  await expect(run(db)).rejects.toBe(full);
  expect(tries()).toBe(1);
});
