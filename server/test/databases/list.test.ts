import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { fileList, type StoredFile } from '@holdfast/contract/src/files.ts';
import { type SortColumn, sortColumns, sortDirections } from '@holdfast/contract/src/limits.ts';
import { expect, test } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
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
      for (const limit of [1, 5, 23, 500]) {
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

test('without parameters the newest files come first, with a page size of 200', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server, { plan: 'basic' });
  const first = await uploadFile(server, account, 'hello', 'photo.PNG');
  server.clock.advance(1);
  const second = await uploadFile(server, account, 'hello', 'notes.txt');
  const reply = await account.byKey.getFileList({ query: {} });
  expect(fileList.parse(reply)).toEqual(reply);
  expect(reply.file_list).toEqual(reply.files);
  expect(reply.files.map(({ name }) => name)).toEqual([second, first]);
  expect(reply.files[1]).toEqual({
    name: first,
    original_name: 'photo.PNG',
    extension: 'png',
    content_type: 'image/png',
    size: 5,
    sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    hits: 0,
    last_accessed: null,
    time_added: new Date(server.clock.now() - 1).toISOString(),
    is_favorite: false,
    is_pending_scan: false,
  });
  expect(reply).toMatchObject({
    show_file_extensions: true,
    preferred_domain: `localhost:${server.port}`,
    sorting: { column: 'upload_time', direction: 'desc' },
    sorting_options: { columns: [...sortColumns], directions: ['asc', 'desc'] },
    pagination: { page: 1, limit: 200, total_files: 2 },
    account_usage: { space_used: 10, slots_used: 2 },
    account_limits: { space_quota: 2_000_000_000, slots_quota: 5_000, max_file_size: 400_000_000 },
  });
});

test('an empty account and a page past the end have no files, but the totals', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  expect((await account.byKey.getFileList({ query: {} })).files).toEqual([]);
  await uploadFile(server, account);
  for (const page of [2, 1_000_000_000]) {
    const reply = await account.byKey.getFileList({ query: { page, limit: 500 } });
    expect(reply.files).toEqual([]);
    expect(reply.pagination).toEqual({ page, limit: 500, total_files: 1 });
  }
});

test('files of another account are not visible', async () => {
  await using server = await startServer();
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  await uploadFile(server, ada);
  const reply = await ben.byKey.getFileList({ query: {} });
  expect(reply).toMatchObject({ files: [], pagination: { total_files: 0 } });
});

test.each([
  ['limit', ['0', '501', '-1', '1.5', '1e2', 'all', '', ' 5', '9'.repeat(30), '0x10']],
  ['page', ['0', '-1', '1.5', 'first', '', '1000000001', 'NaN']],
  ['column', ['', 'SIZE', 'id', 'password_hash', '__proto__', 'size;drop table files']],
  ['direction', ['', 'up', 'DESC', 'desc,asc']],
])("a wrong '%s' is refused by name", async (parameter, values) => {
  await using server = await startServer();
  const { apiKey } = await signUpAndIn(server);
  const ask = (query: string) =>
    call(server, `${endpoints.getFileList.path}?${query}`, { headers: { 'X-API-Key': apiKey } });
  const queries = values.map((value) => `${parameter}=${encodeURIComponent(value)}`);
  for (const query of [...queries, `${parameter}=1&${parameter}=1`]) {
    const answer = await ask(query);
    expect(answer, query).toMatchObject({ status: 400, json: { success: false, error: { code: 'INVALID_INPUT' } } });
    expect(answer.text).toContain(`'${parameter}' must be`);
  }
});
