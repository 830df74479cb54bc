import { sortColumns, sortDirections } from '@holdfast/contract/src/limits.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { BlobId } from '../../src/storage/blobs/blobs.ts';
import { fillSearchText } from '../../src/storage/db/fill-search-text.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { shareServer } from '../harness/server-test.ts';
import { startServer } from '../harness/start-server.ts';
import { sha256, uploadFile } from '../harness/uploads.ts';

const { server: shared, test } = await shareServer();

/** Searches and returns the original names of the files found, and the reported count. */
async function search(account: SignedIn, text: string) {
  const { files, pagination } = await account.byKey.getFileList({ query: { search: text } });
  return { names: files.map((file) => file.original_name).toSorted(), total: pagination.total_files };
}

const found = (...names: string[]) => ({ names: names.toSorted(), total: names.length });

test('every word must be in the original name, the stored name or the extension, in any case', async () => {
  const account = await signUpAndIn(shared, { plan: 'basic' });
  const stored = await uploadFile(shared, account, 'a', 'My Pack.zip');
  await uploadFile(shared, account, 'b', 'my notes.MARKDOWN');
  await uploadFile(shared, account, 'c', 'packing-list');
  expect(await search(account, 'pack')).toEqual(found('My Pack.zip', 'packing-list'));
  expect(await search(account, 'PACK zip')).toEqual(found('My Pack.zip'));
  expect(await search(account, ' zip\tmy ')).toEqual(found('My Pack.zip'));
  expect(await search(account, 'markdown')).toEqual(found('my notes.MARKDOWN'));
  expect(await search(account, stored)).toEqual(found('My Pack.zip'));
  expect(await search(account, `${stored.slice(1, 6).toUpperCase()} my`)).toEqual(found('My Pack.zip'));
  expect(await search(account, 'pack markdown')).toEqual(found());
});

test('text in every script is found in upper or lower case', async () => {
  const account = await signUpAndIn(shared, { plan: 'basic' });
  for (const name of ['ОТЧЁТ за май.pdf', 'Straße.txt', 'İstanbul.txt', 'ΟΔΟΣ.txt'])
    await uploadFile(shared, account, name, name);
  for (const text of ['отчёт', 'МАЙ', 'Отче\u0308т pdf'])
    expect(await search(account, text)).toEqual(found('ОТЧЁТ за май.pdf'));
  for (const text of ['STRASSE', 'straße', 'STRAẞE']) expect(await search(account, text)).toEqual(found('Straße.txt'));
  for (const text of ['İSTANBUL', 'istanbul', 'Istanbul'])
    expect(await search(account, text)).toEqual(found('İstanbul.txt'));
  for (const text of ['οδος', 'οδοσ', 'Οδ']) expect(await search(account, text)).toEqual(found('ΟΔΟΣ.txt'));
});

test('%, _ and \\ are searched literally', async () => {
  const account = await signUpAndIn(shared, { plan: 'basic' });
  const names = ['100%.txt', 'a_b.txt', "it's.txt", 'aXb.txt', '100.txt'];
  for (const name of names) await uploadFile(shared, account, name, name);
  // No upload keeps a backslash, which separates the parts of a path; an older row may contain one.
  await uploadFile(shared, account, 'd', 'old.txt');
  await shared.context.db
    .updateTable('files')
    .set({ original_name: 'c\\d.txt', search_text: 'C\\D.TXT' })
    .where('original_name', '=', 'old.txt')
    .execute();
  expect(await search(account, '%')).toEqual(found('100%.txt'));
  expect(await search(account, '0%')).toEqual(found('100%.txt'));
  expect(await search(account, '%.txt')).toEqual(found('100%.txt'));
  expect(await search(account, '_')).toEqual(found('a_b.txt'));
  expect(await search(account, 'a_b')).toEqual(found('a_b.txt'));
  expect(await search(account, '\\')).toEqual(found('c\\d.txt'));
  expect(await search(account, 'c\\d')).toEqual(found('c\\d.txt'));
  expect(await search(account, "'")).toEqual(found("it's.txt"));
  for (const text of ['\\%', '%%', '_%', '*', '1?0']) expect(await search(account, text), text).toEqual(found());
});

test('deleted files and files of other accounts are not found', async () => {
  const [ada, ben] = [await signUpAndIn(shared), await signUpAndIn(shared)];
  const gone = await uploadFile(shared, ada, 'a', 'pack one.txt');
  await uploadFile(shared, ada, 'b', 'pack two.txt');
  await uploadFile(shared, ben, 'c', 'pack three.txt');
  await ada.byKey.deleteFiles({ body: { files: [gone] } });
  expect(await search(ada, 'pack')).toEqual(found('pack two.txt'));
  expect(await search(ben, 'pack')).toEqual(found('pack three.txt'));
  expect(await search(ada, gone)).toEqual(found());
});

test.each(['with', 'without'])('each file found is on one page, in every order, %s the index', async (index) => {
  await using server = await startServer();
  const { db } = server.context;
  if (index === 'without') await db.schema.dropIndex('files_by_search').execute();
  const account = await signUpAndIn(server, { plan: 'starter' });
  for (let at = 0; at < 24; at += 1) {
    if (at % 5 === 0) server.clock.advance(60_000);
    const name = await uploadFile(
      server,
      account,
      'x'.repeat(at % 3),
      `${at % 2 ? 'Package' : 'other'}.${at % 5 ? 'txt' : 'zip'}`,
    );
    await db
      .updateTable('files')
      .set({ hits: at % 4, is_favorite: at % 6 === 1 ? 1 : 0, last_accessed_at: at % 3 })
      .where('name', '=', name)
      .execute();
  }
  for (const column of sortColumns) {
    for (const direction of sortDirections) {
      const all = (await account.byKey.getFileList({ query: { column, direction } })).files;
      const wanted = all.filter((file) => file.original_name.startsWith('Package')).map(({ name }) => name);
      for (const limit of [5, 12]) {
        const names: string[] = [];
        for (let page = 1; page <= Math.ceil(12 / limit) + 1; page += 1) {
          const query = { column, direction, page, limit, search: 'package' };
          const { files, pagination } = await account.byKey.getFileList({ query });
          names.push(...files.map(({ name }) => name));
          expect(pagination).toEqual({ page, limit, total_files: 12 });
        }
        expect(names, `${column} ${direction} by ${limit}`).toEqual(wanted);
      }
    }
  }
});

test('files from before the search are found, and their tombstones are unchanged', async () => {
  await using server = await startServer();
  const { db } = server.context;
  const account = await signUpAndIn(server, { plan: 'starter' });
  const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const files = Array.from({ length: 1_001 }, (_, at) => ({
    id: `old${String(at).padStart(4, '0')}`,
    account_id: id,
    name: `old${at}`,
    original_name: `Отчёт ${at}.pdf`,
    search_text: '',
    extension: 'pdf',
    size: 1,
    sha256: sha256('x'),
    blob_id: 'x' as BlobId,
    uploaded_at: at,
    deleted_at: at === 7 ? at : null,
  }));
  for (let at = 0; at < files.length; at += 500)
    await db
      .insertInto('files')
      .values(files.slice(at, at + 500))
      .execute();
  expect((await search(account, 'отчёт')).total).toBe(0);
  await db.transaction().execute(fillSearchText);
  expect((await search(account, 'ОТЧЁТ')).total).toBe(1_000);
  expect(await search(account, '1000 отчёт')).toEqual(found('Отчёт 1000.pdf'));
  expect(await sql`SELECT 1 FROM files WHERE search_text = ''`.execute(db)).toMatchObject({ rows: { length: 1 } });
});
