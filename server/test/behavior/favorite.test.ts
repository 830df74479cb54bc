import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { uploadFile } from '../harness/uploads.ts';
import { shareServer } from '../harness/server-test.ts';

const { server, test } = await shareServer();

const notFound = { status: 404, code: 'FILE_NOT_FOUND' };

test('a favorite is set and removed, and the response contains the new state', async () => {
  const { byKey, ...account } = await signUpAndIn(server);
  const name = await uploadFile(server, { byKey, ...account });
  const listed = async () => (await byKey.getFileList({ query: {} })).files[0]?.is_favorite;
  for (const is_favorite of [true, false, true]) {
    const reply = await byKey.toggleFavorite({ body: { file: name } });
    expect(reply).toEqual({ file_info: { name, is_favorite } });
    expect(await listed()).toBe(is_favorite);
  }
});

test('files that are unknown, deleted or of another account cannot be favorites', async () => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const [kept, deleted] = [await uploadFile(server, ada), await uploadFile(server, ada)];
  await ada.byKey.deleteFiles({ body: { files: [deleted] } });
  await expect(ben.byKey.toggleFavorite({ body: { file: kept } })).rejects.toMatchObject(notFound);
  await expect(ada.byKey.toggleFavorite({ body: { file: deleted } })).rejects.toMatchObject(notFound);
  await expect(ada.byKey.toggleFavorite({ body: { file: 'nosuchfile' } })).rejects.toMatchObject(notFound);
  expect((await ada.byKey.getFileList({ query: {} })).files).toMatchObject([{ name: kept, is_favorite: false }]);
});

test('many files become favorites in one call, which ignores those of others, and the list can show them alone', async () => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const names = [await uploadFile(server, ada), await uploadFile(server, ada), await uploadFile(server, ada)];
  const [first = '', second = ''] = names;
  const foreign = await uploadFile(server, ben);
  const favorites = async ({ byKey }: typeof ada) => {
    const { files, pagination } = await byKey.getFileList({ query: { favorites: 'true' } });
    expect(pagination.total_files).toBe(files.length);
    return files.map(({ name }) => name).toSorted();
  };
  const files = [first, second, foreign, 'nosuchfile', '../../etc'];
  await ada.browser.client.setFavorites({ body: { files, is_favorite: true } });
  expect(await favorites(ada)).toEqual([first, second].toSorted());
  expect(await favorites(ben)).toEqual([]);
  await ada.browser.client.setFavorites({ body: { files: names, is_favorite: false } });
  expect(await favorites(ada)).toEqual([]);
});

test.each([
  ['no file', {}, 'A file name is required'],
  ['a number', { file: 7 }, 'A file name is required'],
  ['an extension', { file: 'abcdefgh.png' }, 'A stored file name has letters and digits only, without an extension'],
  ['a path', { file: '../../etc' }, 'A stored file name has letters and digits only, without an extension'],
])('a favorite of %s is refused', async (_what, body, message) => {
  const { apiKey } = await signUpAndIn(server);
  const headers = { 'X-API-Key': apiKey };
  const answer = await call(server, endpoints.toggleFavorite.path, { method: 'POST', headers, body });
  expect(answer).toMatchObject({ status: 400, json: { success: false, error: { code: 'INVALID_INPUT', message } } });
});
