import type { StoredFile } from '@holdfast/contract/src/files.ts';
import { type SortColumn, sortColumns, sortDirections } from '@holdfast/contract/src/limits.ts';
import { expect, test } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

interface Listed {
  readonly id: string;
  readonly file: StoredFile;
}

/** Sort key of a file, as a text or number that `<` orders. */
const keyOf: Record<SortColumn, (file: StoredFile) => string | number> = {
  upload_time: (file) => file.time_added,
  name: (file) => file.name,
  favorite: (file) => Number(file.is_favorite),
  size: (file) => file.size,
  hits: (file) => file.hits,
  access_time: (file) => file.last_accessed ?? '',
  file_extension: (file) => file.extension,
};

/** 23 files with many equal values in every column but the name. */
async function storeFiles(server: TestServer, account: SignedIn): Promise<void> {
  const { db, clock } = server.context;
  for (let at = 0; at < 23; at += 1) {
    if (at % 4 === 0) server.clock.advance(60_000);
    const name = await uploadFile(server, account, 'x'.repeat(at % 3), at % 5 === 0 ? 'a.zip' : 'a.txt');
    await db
      .updateTable('files')
      .set({
        hits: at % 2,
        is_favorite: at % 6 === 0 ? 1 : 0,
        last_accessed_at: at % 3 === 0 ? 0 : clock.now() - (at % 2) * 1000,
      })
      .where('name', '=', name)
      .execute();
  }
}

async function allFiles(server: TestServer, account: SignedIn): Promise<Listed[]> {
  const rows = await server.context.db.selectFrom('files').select(['id', 'name']).execute();
  const { files } = await account.byKey.getFileList({ query: { limit: 500 } });
  return files.map((file) => ({ file, id: rows.find(({ name }) => name === file.name)?.id ?? '' }));
}

function sorted(listed: readonly Listed[], column: SortColumn, direction: 'asc' | 'desc'): string[] {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = <T extends string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
  return listed
    .toSorted((a, b) => sign * (compare(keyOf[column](a.file), keyOf[column](b.file)) || compare(a.id, b.id)))
    .map(({ file }) => file.name);
}

/** An index happens to return equal keys in the order of their ids; the list must not depend on which index is used. */
async function dropSortIndexes({ context: { db } }: TestServer): Promise<void> {
  for (const name of ['upload_time', 'name', 'favorite', 'size', 'hits', 'access_time', 'extension'])
    await db.schema.dropIndex(`files_by_${name}`).execute();
}

test.each(['with', 'without'])('every column sorts both ways over all pages, %s indexes', async (indexes) => {
  await using server = await startServer();
  if (indexes === 'without') await dropSortIndexes(server);
  const account = await signUpAndIn(server, { plan: 'starter' });
  await storeFiles(server, account);
  const listed = await allFiles(server, account);
  expect(listed).toHaveLength(23);
  for (const column of sortColumns) {
    for (const direction of sortDirections) {
      for (const limit of [4, 23]) {
        const names: string[] = [];
        for (let page = 1; page <= Math.ceil(23 / limit) + 1; page += 1) {
          const { files } = await account.byKey.getFileList({ query: { column, direction, page, limit } });
          names.push(...files.map(({ name }) => name));
        }
        expect(names, `${column} ${direction} by ${limit}`).toEqual(sorted(listed, column, direction));
      }
    }
  }
});
