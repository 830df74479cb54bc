import { expect, test } from 'vitest';
import { countFound, readFound } from '../../src/files/search.ts';
import { onPostgres, planOf } from '../harness/plan-of.ts';
import { seedLists } from '@holdfast/test-support/seed-lists.ts';
import { startServer } from '../harness/start-server.ts';

const [throughTheIndex, byPrimaryKey, anyScan] = onPostgres
  ? [/Index Only Scan using files_by_search on files/, /Index Scan using files_pkey on files/, / on files/g]
  : [
      /SEARCH files USING COVERING INDEX files_by_search \(account_id=\?\)/,
      /SEARCH files USING INDEX sqlite_autoindex_files_1 \(id=\?\)/,
      /(SEARCH|SCAN) files/g,
    ];

test("a search reads the account's part of one index, and only the rows of its page", async () => {
  await using server = await startServer();
  const { db } = server.context;
  const [account] = await seedLists(db, [2_000], 20_000);
  if (!account) throw new Error('unreachable: an account was made');
  const wanted = { accountId: account.id, words: ['SUMMER', 'ZIP'], onlyFavorites: false };
  const count = await planOf(db, async (tx) => {
    expect(await countFound(tx, wanted)).toBe(667);
  });
  expect(count).toMatch(throughTheIndex);
  expect(count.match(anyScan), count).toHaveLength(1);
  for (const column of ['uploaded_at', 'hits', 'name'] as const) {
    const page = await planOf(db, async (tx) => {
      const slice = { column, order: 'desc', skip: 100, count: 20 } as const;
      expect(await readFound(tx, wanted, slice)).toHaveLength(20);
    });
    expect(page).toMatch(throughTheIndex);
    expect(page).toMatch(byPrimaryKey);
    expect(page.match(anyScan), page).toHaveLength(2);
  }
});
