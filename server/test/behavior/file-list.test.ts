/** The list of files as an API. How it sorts, pages and searches: `databases/list`, `databases/search`. */
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { fileList } from '@holdfast/contract/src/files.ts';
import { sortColumns } from '@holdfast/contract/src/limits.ts';
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { shareServer } from '../harness/server-test.ts';
import { uploadFile } from '../harness/uploads.ts';

const { server, test } = await shareServer();

test('without parameters the newest files come first, with a page size of 200', async () => {
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

test('a search of 64 characters is accepted; longer or repeated searches are refused by name', async () => {
  const { apiKey } = await signUpAndIn(server);
  const ask = (query: string) =>
    call(server, `${endpoints.getFileList.path}?${query}`, { headers: { 'X-API-Key': apiKey } });
  for (const text of ['a'.repeat(64), 'aaaaa '.repeat(10), 'ﷺ'.repeat(64)])
    expect(await ask(`search=${encodeURIComponent(text)}`)).toMatchObject({ status: 200, json: { files: [] } });
  for (const query of [
    `search=${'a'.repeat(65)}`,
    'search=a+b+c+d+e+f+g+h+i+j+k',
    'search=a&search=a',
    'search=&search=',
  ]) {
    const answer = await ask(query);
    expect(answer, query).toMatchObject({ status: 400, json: { success: false, error: { code: 'INVALID_INPUT' } } });
    expect(answer.text).toContain("'search' must be");
  }
  expect(await ask('search=%FF%00%ED%A0%80')).toMatchObject({ status: expect.toBeOneOf([200, 400]) });
});
