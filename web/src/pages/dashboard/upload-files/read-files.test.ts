import { expect, test } from 'vitest';
import { readFiles } from './read-files.ts';

const entry = (name: string, kind: object): FileSystemEntry =>
  ({ name, fullPath: `/${name}`, isFile: false, isDirectory: false, ...kind }) as unknown as FileSystemEntry;

const denied = new DOMException('denied', 'NotReadableError');
const fileEntry = (name: string) =>
  entry(name, { isFile: true, file: (resolve: (file: File) => void) => resolve(new File(['x'], name)) });
const lockedFile = (name: string) =>
  entry(name, { isFile: true, file: (_: unknown, reject: (error: Error) => void) => reject(denied) });

/** Lists its entries a hundred at a time, as Chrome does. */
const folder = (name: string, entries: readonly FileSystemEntry[], failsAfter = Infinity) => {
  let read = 0;
  const readEntries = (resolve: (next: readonly FileSystemEntry[]) => void, reject: (error: Error) => void) => {
    if (read >= failsAfter) return reject(denied);
    resolve(entries.slice(read, (read += 100)));
  };
  return entry(name, { isDirectory: true, createReader: () => ({ readEntries }) });
};

const many = (count: number) => Array.from({ length: count }, (_, at) => fileEntry(`${at}.txt`));

test('a file or folder that cannot be read costs only itself, and is named', async () => {
  const root = folder('work', [
    fileEntry('b.txt'),
    folder('pgdata', [], 0),
    lockedFile('secret.txt'),
    folder('deep', [fileEntry('a.txt'), fileEntry('.DS_Store')]),
  ]);
  const { files, unreadable } = await readFiles([root, new File(['x'], 'c.txt')], () => {});
  expect(files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(unreadable.toSorted()).toEqual(['pgdata', 'secret.txt']);
});

test('a large folder is read 50 files at a time, with the count so far', async () => {
  const counts: number[] = [];
  const { files } = await readFiles([folder('photos', many(230))], (found) => counts.push(found));
  expect(files).toHaveLength(230);
  expect(files.slice(8, 12).map(({ name }) => name)).toEqual(['8.txt', '9.txt', '10.txt', '11.txt']);
  expect(counts).toEqual([0, 50, 100, 150, 200, 230]);
});
