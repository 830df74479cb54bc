/** `holdfast import`: the files of a folder become those of an account. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { holdfast, holdfastJson, startHoldfast } from '../harness/holdfast.ts';
import { newFolder } from '../harness/new-place.ts';
import { startServer } from '../harness/start-server.ts';

const filesOf = async ({ byKey }: Pick<SignedIn, 'byKey'>) => {
  const { files } = await byKey.getFileList({ query: { limit: 500 } });
  return files.map(({ original_name: name, size }) => `${name} ${size}`).toSorted();
};

async function folderWith(contents: Readonly<Record<string, string>>): Promise<string> {
  const folder = await newFolder();
  await mkdir(join(folder, 'trips', '.cache'), { recursive: true });
  for (const [path, text] of Object.entries(contents)) await writeFile(join(folder, path), text);
  return folder;
}

test('files keep their names, and a repeated run stores only what is new', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const folder = await folderWith({ 'a.txt': 'a', 'trips/naïve 🐙.txt': 'bb', 'trips/a.txt': 'a', 'empty.txt': '' });
  for (const hidden of ['.DS_Store', 'trips/.cache/b.txt']) await writeFile(join(folder, hidden), 'hidden');
  await symlink('/etc/passwd', join(folder, 'link.txt'));
  const run = () => holdfast(server, 'import', folder, '--to', ann.email);
  expect(await run()).toEqual({ code: 0, out: '4 files stored.\n', err: '' });
  const stored = ['a.txt 1', 'a.txt 1', 'empty.txt 0', 'naïve 🐙.txt 2'];
  expect(await filesOf(ann)).toEqual(stored);
  expect(await run()).toMatchObject({ code: 0, out: '0 files stored, 4 stored before.\n' });
  await writeFile(join(folder, 'c.txt'), 'ccc');
  expect(await run()).toMatchObject({ code: 0, out: '1 file stored, 4 stored before.\n' });
  expect(await filesOf(ann)).toEqual(['a.txt 1', ...stored.slice(1, 2), 'c.txt 3', ...stored.slice(2)]);
});

test('what the account may not have is listed, and the rest is stored', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  await holdfast(server, 'account', 'set-limits', ann.email, '--file-size', '1kB');
  const folder = await folderWith({ 'a.txt': 'a', 'trips/large.txt': 'x'.repeat(2_000), 'z.txt': 'z' });
  const lines = await holdfastJson(server, 'import', folder, '--to', ann.email);
  expect(lines).toEqual([
    { path: 'trips/large.txt', reason: expect.stringContaining('larger than') as string },
    { stored: 2, stored_before: 0, failed: 1 },
  ]);
  expect(await holdfast(server, 'import', folder, '--to', ann.email)).toMatchObject({ code: 1 });
  expect(await filesOf(ann)).toEqual(['a.txt 1', 'z.txt 1']);
});

test('a run that is killed is continued, and stores nothing twice', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const names = Array.from({ length: 120 }, (_, at) => `${100 + at}.txt`);
  const folder = await folderWith(Object.fromEntries(names.map((name) => [name, name])));
  const { child, ended } = await startHoldfast(server, ['import', folder, '--to', ann.email]);
  await expect.poll(() => filesOf(ann)).not.toEqual([]);
  child.kill('SIGKILL');
  await ended;
  expect(await holdfast(server, 'import', folder, '--to', ann.email)).toMatchObject({ code: 0 });
  expect(await filesOf(ann)).toEqual(names.map((name) => `${name} 7`));
});

test('of a Zipline the files of one user get their original names back', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const folder = await folderWith({ 'x1.png': 'x', 'y2.txt': 'yy', 'z3.txt': 'zzz', 'thumbnail.jpg': 'small' });
  const files = [
    { name: 'x1.png', originalName: 'holiday.png', userId: 'u1' },
    { name: 'y2.txt', originalName: null, userId: 'u1' },
    { name: 'z3.txt', originalName: 'of bob.txt', userId: 'u2' },
  ];
  const users = [
    { id: 'u1', username: 'ann' },
    { id: 'u2', username: 'bob' },
  ];
  const list = join(await newFolder(), 'export.json');
  await writeFile(list, JSON.stringify({ versions: { export: '4' }, data: { users, files } }));
  const run = (...more: string[]) => holdfast(server, 'import', folder, '--to', ann.email, '--zipline', ...more);
  expect(await run(list, '--user', 'ann')).toEqual({ code: 0, out: '2 files stored.\n', err: '' });
  expect(await filesOf(ann)).toEqual(['holiday.png 1', 'y2.txt 2']);
  expect(await run(list, '--user', 'eve')).toMatchObject({ code: 1, err: "The export has no user 'eve'.\n" });
  expect(await run(join(folder, 'y2.txt'))).toMatchObject({
    code: 1,
    err: expect.stringMatching(/ is no export of/) as string,
  });
});
